import type { CSSProperties, RefObject } from "react";
import { Badge, Box, Button, Card, Code, Group, Title } from "@mantine/core";
import { DAY_MS } from "#schema/dates.ts";
import { canHaveScope, scopes, TOKEN_PREFIX } from "#schema/personal-access-token.ts";
import {
  type TokenFieldsFragment,
  type TokenScope,
  useRevokePersonalAccessTokenMutation,
} from "#web/generated/graphql.ts";
import type { Role } from "#web/platform/session.ts";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { FactRow } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { rememberFocus } from "#web/platform/focus.ts";
import { acceptGone } from "#web/platform/server-error.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

/**
 * Returns a function that revokes a token after a confirmation. It then reloads the list and moves the focus to its summary,
 * because the pressed button disappears with its row.
 */
export function useRevokeToken(refetch: () => Promise<unknown>, summary: RefObject<HTMLElement | null>) {
  const [revoke] = useRevokePersonalAccessTokenMutation();
  return ({ id, name, hint }: TokenFieldsFragment) =>
    confirmAction({
      title: "Revoke token",
      confirmLabel: "Revoke",
      danger: true,
      text: `Programs that use “${name}” (${describeSecret(hint)}) will lose access immediately. This can't be undone.`,
      failure: "Unable to revoke the token.",
      run: () => acceptGone(revoke({ variables: { id } })),
      success: (isGone) => (isGone ? "The token was already revoked." : "The token has been revoked."),
      onSettled: async () => {
        await refetch().catch(() => undefined);
        if (summary.current) rememberFocus(summary.current)();
      },
    });
}

/** Returns the part of a token's secret that is shown. `hint` is its end. */
const describeSecret = (hint: string) => `${TOKEN_PREFIX}…${hint}`;

const wrapped: CSSProperties = { flexWrap: "wrap", gap: "0.375rem" };

/** Tokens that expire within this many days are marked. */
const SOON_DAYS = 7;

/**
 * List of tokens with their scopes, last use and expiry. `role` is the role of their owner. Without `onRevoke`, the tokens
 * can't be revoked here.
 */
export function TokenList(props: {
  tokens: readonly TokenFieldsFragment[];
  role: Role;
  onRevoke: ((token: TokenFieldsFragment) => void) | null;
  headingLevel?: 2 | 3;
}) {
  const { tokens, role, onRevoke, headingLevel = 2 } = props;
  return (
    <Card component="ul" padding="lg" shadow="sm" m={0} aria-label="Personal access tokens">
      {tokens.map((token) => (
        <Card.Section key={token.id} component="li" withBorder inheritPadding py="md">
          <Group justify="space-between" align="flex-start">
            <Group gap="xs" mih="2.25rem" miw={0}>
              <Title order={headingLevel} id={`token-${token.id}`} fz="1.0625rem" lh={1.3} data-break="anywhere">
                {token.name}
              </Title>
              <Code>{describeSecret(token.hint)}</Code>
              <ExpiryBadge expiresAt={token.expiresAt} />
            </Group>
            {onRevoke && (
              <Button variant="default" aria-describedby={`token-${token.id}`} onClick={() => onRevoke(token)}>
                Revoke
              </Button>
            )}
          </Group>
          <Box component="ul" aria-label="Scopes" display="flex" m={0} my="sm" p={0} style={wrapped}>
            {token.scopes.map((scope) => (
              <ScopeLabel key={scope} scope={scope} role={role} />
            ))}
          </Box>
          <FactRow
            facts={[
              [
                "Last used",
                <>
                  {token.lastUsedAt ? <Moment at={token.lastUsedAt} /> : "Never"}
                  {token.lastUsedIp && <div>from {token.lastUsedIp}</div>}
                </>,
              ],
              token.networks.length > 0 && ["Accepted from", token.networks.join(", ")],
              [isExpired(token.expiresAt) ? "Expired" : "Expires", <Moment key="end" at={token.expiresAt} />],
              ["Created", <Moment key="start" at={token.createdAt} />],
            ]}
          />
        </Card.Section>
      ))}
    </Card>
  );
}

/** Returns whether a time is in the past. */
export function isExpired(iso: string): boolean {
  return Date.parse(iso) <= Date.now();
}

function ScopeLabel({ scope, role }: { scope: TokenScope; role: Role }) {
  const label = findLabel(scopes, scope);
  const isGranted = canHaveScope(role, toValue(scopes, scope));
  return (
    <Badge component="li" color="gray" variant={isGranted ? "light" : "outline"} fw={500}>
      {label}
      {!isGranted && <span> (not available for this user type)</span>}
    </Badge>
  );
}

function countDaysUntil(iso: string): number {
  return Math.ceil((Date.parse(iso) - Date.now()) / DAY_MS);
}

function ExpiryBadge({ expiresAt }: { expiresAt: string }) {
  if (isExpired(expiresAt)) return <Badge color="red">Expired</Badge>;
  const days = countDaysUntil(expiresAt);
  if (days > SOON_DAYS) return null;
  return <Badge color="marigold">{days === 1 ? "Expires within a day" : `Expires in ${days} days`}</Badge>;
}
