import { Button, Text } from "@mantine/core";
import { useRef } from "react";
import { formatCount } from "#schema/numbers.ts";
import { useCanChangeAccess, useStaffRole } from "#web/platform/staff-role.tsx";
import {
  type MemberType,
  useEndSessionsOfMutation,
  useTokensOfUserQuery,
  useUserSessionsQuery,
} from "#web/generated/graphql.ts";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { OTHERS_END, SessionCards } from "./sessions.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { useSession } from "#web/platform/session.ts";
import { isExpired, TokenList, useRevokeToken } from "#web/access/personal-access-tokens/token-list.tsx";

/** Sign-in tab of a user: sessions with two-step sign-in, and personal access tokens. */
export function SignInTab({ userId }: { userId: string }) {
  return (
    <>
      <UserSessionsPanel userId={userId} />
      <UserTokensPanel userId={userId} />
    </>
  );
}

/**
 * A user's sessions, with the buttons that sign the user out everywhere and turn two-step sign-in off for a user who has lost
 * access to every method (decision 0035).
 */
export function UserSessionsPanel({ userId }: { userId: string }) {
  const query = useUserSessionsQuery({ variables: { id: userId } });
  const { data, refetch } = query;
  const [endSessionsOf] = useEndSessionsOfMutation();
  const openDialog = useOpenDialog();
  const summary = useRef<HTMLParagraphElement>(null);
  const ownId = useSession()?.claims.id;
  const canChange = useCanChangeAccess(data?.user.memberType);
  const sessions = data?.user.sessions ?? [];
  const others = sessions.filter((session) => !session.isCurrent);
  const name = data ? `${data.user.firstName} ${data.user.lastName}` : "";
  const reload = async () => {
    await refetch().catch(() => undefined);
    // The pressed button disappears, so move the focus.
    summary.current?.focus();
  };
  const signOut = () =>
    confirmAction({
      title: "Sign out everywhere",
      confirmLabel: "Sign out",
      danger: true,
      text:
        others.length < sessions.length
          ? OTHERS_END
          : `${name} will be signed out of every browser and program. Personal access tokens will be revoked, and a pending email change and unused reset links will be cancelled.`,
      run: () =>
        endSessionsOf({
          variables: { userId },
          // It revokes the tokens, which the list below loads again.
          update: (cache) =>
            void cache.evict({
              id: cache.identify({ __typename: "User", id: userId }),
              fieldName: "personalAccessTokens",
            }),
        }),
      success: (result) =>
        result.data?.endSessionsOf.count
          ? "The user has been signed out everywhere."
          : "The user was already signed out.",
      failure: "Unable to sign the user out.",
      onSettled: reload,
    });
  useRequestedAction(
    {
      "sign-out": () => {
        if (others.length > 0 && canChange) signOut();
        else summary.current?.focus();
      },
    },
    data !== undefined,
  );

  return (
    <Section
      title="Active sessions"
      actions={
        <>
          {/* Another admin has to clear an admin's own two-step sign-in. */}
          {data?.user.twoStepSince && userId !== ownId && canChange && (
            <Button
              color="red"
              variant="light"
              onClick={() =>
                openDialog(() => import("#web/access/two-step/clear-two-step-dialog.tsx"), {
                  user: data.user,
                  onDone: () => void reload(),
                })
              }
            >
              Clear two-step sign-in
            </Button>
          )}
          {others.length > 0 && canChange && (
            <Button color="red" variant="light" onClick={signOut}>
              Sign out everywhere
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query} failure="Unable to fetch the user's sessions." loading="Loading the user's sessions">
        {() => (
          <>
            <Text ref={summary} c="dimmed" mb={sessions.length > 0 ? "sm" : 0} tabIndex={-1}>
              {sessions.length > 0 && formatCount(sessions.length, "active session")}
            </Text>
            {sessions.length === 0 ? (
              <EmptyState message="No active sessions." />
            ) : (
              <SessionCards sessions={sessions} onEnd={null} headingLevel={3} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A user's tokens, which owners can revoke. */
export function UserTokensPanel({ userId }: { userId: string }) {
  const query = useTokensOfUserQuery({ variables: { id: userId } });
  const { data, refetch } = query;
  const mayRevoke = useStaffRole("owner");
  const summary = useRef<HTMLParagraphElement>(null);
  const revokeToken = useRevokeToken(refetch, summary);
  const tokens = data?.user.personalAccessTokens ?? [];
  const live = tokens.filter(({ expiresAt }) => !isExpired(expiresAt)).length;

  return (
    <Section title="Personal access tokens">
      <Loaded query={query} failure="Unable to fetch the user's tokens." loading="Loading the user's tokens">
        {({ user }) => (
          <>
            <Text ref={summary} c="dimmed" mb={tokens.length > 0 ? "sm" : 0} tabIndex={-1}>
              {tokens.length > 0 && `${live} in use. Signing the user out everywhere revokes them.`}
            </Text>
            {tokens.length === 0 ? (
              <EmptyState message="No personal access tokens." />
            ) : (
              <TokenList
                tokens={tokens}
                role={user.memberType.toLowerCase() as Lowercase<MemberType>}
                onRevoke={mayRevoke ? revokeToken : null}
                headingLevel={3}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
