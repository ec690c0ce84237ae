import { Text } from "@mantine/core";
import { useRef } from "react";
import type { Role } from "#web/platform/session.ts";
import { useTokensOfUserQuery, type MemberType } from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { isExpired, TokenList, useRevokeToken } from "./token-list.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

const roleByMemberType: Readonly<Record<MemberType, Role>> = {
  REGULAR: "regular",
  CORPORATE: "corporate",
  ADMIN: "admin",
};

/** A user's tokens, which owners can revoke. */
export function UserTokensPanel({ userId }: { userId: string }) {
  const query = useTokensOfUserQuery({ variables: { id: userId } });
  const { data, refetch } = query;
  const revokeToken = useRevokeToken(() => void reload());
  const mayRevoke = useStaffRole("owner");
  const summary = useRef<HTMLParagraphElement>(null);
  const tokens = data?.user.personalAccessTokens ?? [];
  const live = tokens.filter(({ expiresAt }) => !isExpired(expiresAt)).length;

  async function reload() {
    await refetch().catch(() => undefined);
    // The pressed button disappears with its row, so move the focus.
    summary.current?.focus();
  }

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
                role={roleByMemberType[user.memberType]}
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
