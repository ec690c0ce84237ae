import { isScope, canHaveScope, scopes } from "#schema/scopes.ts";
import type { TokenFieldsFragment } from "#web/generated/graphql.ts";
import type { Role } from "#web/platform/session.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatDateTime } from "#schema/dates.ts";
import classes from "./personal-access-tokens.module.css";

export type ShownToken = TokenFieldsFragment;

const DAY_MS = 86_400_000;
/** Tokens that expire within this many days are marked. */
const SOON_DAYS = 7;

/** List of tokens with their scopes, last use and expiry. `role` is the role of their owner. */
export function TokenList(props: {
  tokens: readonly ShownToken[];
  role: Role;
  onRevoke: (token: ShownToken) => void;
  headingLevel?: 2 | 3;
}) {
  const { tokens, role, onRevoke, headingLevel = 2 } = props;
  const Heading = `h${headingLevel}` as const;
  return (
    <ul className={classes.tokens} aria-label="Personal access tokens">
      {tokens.map((token) => (
        <li key={token.id} className={classes.token}>
          <div className={classes.head}>
            <Heading id={`token-${token.id}`} className={classes.name}>
              {token.name}
            </Heading>
            <code className={classes.hint}>xpat_…{token.hint}</code>
            <ExpiryBadge expiresAt={token.expiresAt} />
          </div>
          <Button variant="default" aria-describedby={`token-${token.id}`} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
          <ul className={classes.scopes} aria-label="Scopes">
            {token.scopes.map((scope) => (
              <ScopeLabel key={scope} scope={scope} role={role} />
            ))}
          </ul>
          <dl className={classes.facts}>
            <div>
              <dt>Last used</dt>
              <dd>{token.lastUsedAt ? <Moment at={token.lastUsedAt} /> : "Never"}</dd>
              {token.lastUsedIp && <dd>from {token.lastUsedIp}</dd>}
            </div>
            <div>
              <dt>{isExpired(token.expiresAt) ? "Expired" : "Expires"}</dt>
              <dd>
                <Moment at={token.expiresAt} />
              </dd>
            </div>
            <div>
              <dt>Created</dt>
              <dd>
                <Moment at={token.createdAt} />
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** Returns whether a time is in the past. */
export function isExpired(iso: string): boolean {
  return Date.parse(iso) <= Date.now();
}

function daysUntil(iso: string): number {
  return Math.ceil((Date.parse(iso) - Date.now()) / DAY_MS);
}

function ScopeLabel({ scope, role }: { scope: string; role: Role }) {
  const label = isScope(scope) ? scopes[scope].label : scope;
  const isGranted = isScope(scope) && canHaveScope(role, scope);
  return (
    <li data-off={!isGranted || undefined}>
      {label}
      {!isGranted && <span> (not available for this user type)</span>}
    </li>
  );
}

function ExpiryBadge({ expiresAt }: { expiresAt: string }) {
  if (isExpired(expiresAt)) return <Badge tone="critical">Expired</Badge>;
  const days = daysUntil(expiresAt);
  if (days > SOON_DAYS) return null;
  return <Badge tone="notice">{days === 1 ? "Expires within a day" : `Expires in ${days} days`}</Badge>;
}

function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}
