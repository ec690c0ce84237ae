import type { MemberType } from "#schema/user.ts";
import { canHaveScope, isScope, type Scope } from "#schema/personal-access-token.ts";
import type { Role } from "#schema/roles.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { isInNetworks } from "#api/platform/http/networks.ts";
import { addToBatch, type BatchRow, type BatchStatement } from "#api/platform/database/statement-batches.ts";
import { roleByMemberType } from "#api/access/sessions/access-token.ts";

/** A token: {@link TOKEN_PREFIX} followed by 256 bits in base64url. */
const tokenPattern = /^xpat_[\w-]{43}$/;

/** Minimum time between two updates of a token's last use, in milliseconds. */
const LAST_USE_INTERVAL_MS = MINUTE;

// Looks up the tokens of concurrent requests in one statement, as with sessions.
const liveTokens: BatchStatement = {
  name: "live-personal-access-tokens",
  text: `select asked.n, t.id, t.user_id as "userId", t.scopes, t.networks, t.last_used_at as "lastUsedAt",
                u.member_type as "memberType", u.staff_roles as "staffRoles", u.two_step_since is not null as "twoStep"
           from personal_access_tokens t join users u on u.id = t.user_id
           join jsonb_to_recordset($1::jsonb) as asked (n int, hash text, at timestamptz) on t.token_hash = asked.hash
          where t.revoked_at is null and t.expires_at > asked.at and u.archived_at is null`,
};

interface TokenLookup extends BatchRow {
  readonly hash: string;
  readonly at: string;
}

interface FoundToken {
  readonly n: number;
  readonly id: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly networks: readonly string[];
  readonly lastUsedAt: Date | null;
  readonly memberType: MemberType;
  readonly staffRoles: readonly StaffRole[];
  readonly twoStep: boolean;
}

/** A token that is not expired or revoked, with its owner. */
interface LiveToken extends Pick<FoundToken, "id" | "userId" | "staffRoles" | "twoStep"> {
  readonly role: Role;
  /** Scopes of the token that the owner's current role allows. */
  readonly scopes: ReadonlySet<Scope>;
  /** True if the token isn't accepted from this address. It then has no scopes. */
  readonly isRefusedHere: boolean;
}

/** Returns whether a bearer value has the form of a personal access token, valid or not. */
export function isPersonalAccessToken(text: string): boolean {
  return tokenPattern.test(text);
}

/**
 * Returns the live token for a bearer value, or null if it is unknown, expired, revoked or belongs to an archived
 * account. The caller can't tell these cases apart. Reads the database every time, so changes take effect on the next
 * request. Records the use at most once a minute.
 */
export async function findLiveToken(services: Services, text: string, ip: string): Promise<LiveToken | null> {
  const at = services.clock.now();
  const found = await addToBatch<FoundToken, TokenLookup>(services.pool, liveTokens, {
    hash: hashSecret(text),
    at: at.toISOString(),
  });
  if (!found) return null;
  const isRefusedHere = !isInNetworks(found.networks, ip);
  if (!isRefusedHere) await recordUse(services, found, { at, ip });
  const role = roleByMemberType[found.memberType];
  const scopes = found.scopes.filter((scope): scope is Scope => isScope(scope) && canHaveScope(role, scope));
  const { id, userId, staffRoles, twoStep } = found;
  return { id, userId, role, staffRoles, twoStep, scopes: new Set(isRefusedHere ? [] : scopes), isRefusedHere };
}

/**
 * Records the use without waiting for a lock. If a concurrent request has locked the row, that request records it
 * instead.
 */
async function recordUse({ pool }: Services, token: FoundToken, { at, ip }: { at: Date; ip: string }): Promise<void> {
  const recordedSince = addMilliseconds(at, -LAST_USE_INTERVAL_MS);
  if (token.lastUsedAt && token.lastUsedAt > recordedSince && token.lastUsedAt <= at) return;
  await pool.query({
    name: "note-use-of-personal-access-token",
    text: `update personal_access_tokens set last_used_at = $2, last_used_ip = $3
            where id = (select id from personal_access_tokens
                         where id = $1 and (last_used_at is null or last_used_at <= $4 or last_used_at > $2)
                           for update skip locked)`,
    values: [token.id, at, ip, recordedSince],
  });
}
