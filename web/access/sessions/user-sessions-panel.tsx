import { Button, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { formatCount } from "#schema/numbers.ts";
import { useCanChangeAccess, useStaffRole } from "#web/platform/staff-role.tsx";
import {
  type MemberType,
  useEndSessionsOfMutation,
  useTokensOfUserQuery,
  useTwoStepOfUserQuery,
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

/** Sign-in tab of a user: sessions, personal access tokens, and the button that clears two-step sign-in. */
export function SignInTab({ userId }: { userId: string }) {
  return (
    <>
      <UserSessionsPanel userId={userId} action={<ClearTwoStepButton userId={userId} />} />
      <UserTokensPanel userId={userId} />
    </>
  );
}

/** A user's sessions, with the button that lets admins sign the user out everywhere. */
export function UserSessionsPanel({ userId, action }: { userId: string; action?: ReactNode }) {
  const query = useUserSessionsQuery({ variables: { id: userId } });
  const { data, refetch } = query;
  const [endSessionsOf] = useEndSessionsOfMutation();
  const summary = useRef<HTMLParagraphElement>(null);
  const canEnd = useCanChangeAccess(data?.user.memberType);
  const sessions = data?.user.sessions ?? [];
  const others = sessions.filter((session) => !session.isCurrent);
  const name = data ? `${data.user.firstName} ${data.user.lastName}` : "";
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
      onSettled: async () => {
        await refetch().catch(() => undefined);
        // The pressed button disappears with the cards, so move the focus.
        summary.current?.focus();
      },
    });
  useRequestedAction(
    {
      "sign-out": () => {
        if (others.length > 0) signOut();
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
          {action}
          {others.length > 0 && canEnd && (
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

/**
 * Button with a dialog that turns two-step sign-in off for a user who has lost access to every method (decision 0035).
 * Hidden while two-step sign-in is off, and for the admin's own account, which another admin has to clear.
 */
export function ClearTwoStepButton({ userId }: { userId: string }) {
  const ownId = useSession()?.claims.id;
  const { data, refetch } = useTwoStepOfUserQuery({ variables: { id: userId } });
  const canClear = useStaffRole("support");
  const openDialog = useOpenDialog();
  if (!data || data.user.twoStepSince === null || userId === ownId || !canClear) return null;
  const onDone = () => void refetch().catch(() => undefined);
  return (
    <Button
      color="red"
      variant="light"
      onClick={() =>
        openDialog(() => import("#web/access/two-step/clear-two-step-dialog.tsx"), { user: data.user, onDone })
      }
    >
      Clear two-step sign-in
    </Button>
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
