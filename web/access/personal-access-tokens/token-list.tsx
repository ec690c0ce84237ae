import { isScope, mayHaveScope, scopes } from "#schema/scopes.ts";
import type { TokenFieldsFragment } from "#web/generated/graphql.ts";
import type { Role } from "#web/platform/session.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatDateTime } from "#schema/dates.ts";
import classes from "./personal-access-tokens.module.css";

/** A token as its row shows it. */
export type ShownToken = TokenFieldsFragment;

const DAY_MS = 86_400_000;
/** From this many days on a token's end is near enough to be marked. */
const SOON_DAYS = 7;

/** One row a token: what it may do, when it was used and when it ends. `role` is its owner's. */
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
            <EndMark expiresAt={token.expiresAt} />
          </div>
          <Button variant="default" aria-describedby={`token-${token.id}`} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
          <ul className={classes.scopes} aria-label="Scopes">
            {token.scopes.map((scope) => (
              <ScopeMark key={scope} scope={scope} role={role} />
            ))}
          </ul>
          <dl className={classes.facts}>
            <div>
              <dt>Last Used</dt>
              <dd>{token.lastUsedAt ? <Moment at={token.lastUsedAt} /> : "Never"}</dd>
              {token.lastUsedIp && <dd>from {token.lastUsedIp}</dd>}
            </div>
            <div>
              <dt>{isOver(token.expiresAt) ? "Expired" : "Expires"}</dt>
              <dd>
                <Moment at={token.expiresAt} />
              </dd>
            </div>
            <div>
              <dt>Made</dt>
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

/** Whether a moment is behind us. */
export function isOver(iso: string): boolean {
  return Date.parse(iso) <= Date.now();
}

function daysUntil(iso: string): number {
  return Math.ceil((Date.parse(iso) - Date.now()) / DAY_MS);
}

function ScopeMark({ scope, role }: { scope: string; role: Role }) {
  const label = isScope(scope) ? scopes[scope].label : scope;
  const works = isScope(scope) && mayHaveScope(role, scope);
  return (
    <li data-off={!works || undefined}>
      {label}
      {!works && <span> (not with this user type)</span>}
    </li>
  );
}

function EndMark({ expiresAt }: { expiresAt: string }) {
  if (isOver(expiresAt)) return <Badge tone="critical">Expired</Badge>;
  const days = daysUntil(expiresAt);
  if (days > SOON_DAYS) return null;
  return <Badge tone="notice">{days === 1 ? "Expires within a day" : `Expires in ${days} days`}</Badge>;
}

function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}
