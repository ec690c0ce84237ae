import type { MemberType } from "#schema/catalogue.ts";
import { isScope, mayHaveScope, type Scope } from "#schema/scopes.ts";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Role, Services } from "#api/platform/context.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { type BatchRow, type BatchStatement, batchesOf } from "#api/platform/statement-batches.ts";
import { roleOfMemberType } from "#api/access/sessions/access-token.ts";

/** The text of a token, {@link TOKEN_PREFIX} and 256 bits in base64url. */
const textOfToken = /^xpat_[\w-]{43}$/;

/** How often at most the last use is written down. */
const NOTED_EVERY_MS = MINUTE;

// Of those who ask at the same moment, all in one, as with sessions.
const liveTokens: BatchStatement = {
  name: "live-personal-access-tokens",
  text: `select asked.n, t.id, t.user_id as "userId", t.scopes, t.last_used_at as "lastUsedAt",
                u.member_type as "memberType", u.two_step_since is not null as "twoStep"
           from personal_access_tokens t join users u on u.id = t.user_id
           join jsonb_to_recordset($1::jsonb) as asked (n int, hash text, at timestamptz) on t.token_hash = asked.hash
          where t.revoked_at is null and t.expires_at > asked.at and u.archived_at is null`,
};

interface AskedToken extends BatchRow {
  readonly hash: string;
  readonly at: string;
}

interface FoundToken {
  readonly n: number;
  readonly id: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly lastUsedAt: Date | null;
  readonly memberType: MemberType;
  readonly twoStep: boolean;
}

/** A token that works, and whose it is. */
export interface LiveToken {
  readonly id: string;
  readonly userId: string;
  readonly role: Role;
  readonly twoStep: boolean;
  /** Those of its scopes that the owner's present role may have. */
  readonly scopes: ReadonlySet<Scope>;
}

/** Whether a bearer's text is a personal access token, be it a live one or not. */
export function isTokenText(text: string): boolean {
  return textOfToken.test(text);
}

/**
 * The token of a text, or null when it is unknown, expired, revoked or of an archived account, which all look alike. Read
 * from the database every time, so that all of that counts with the next request. Notes its use once a minute.
 */
export async function findLiveToken(services: Services, text: string, ip: string): Promise<LiveToken | null> {
  const at = services.clock.now();
  const found = await batchesOf<FoundToken, AskedToken>(services.pool, liveTokens).add({
    hash: hashSecret(text),
    at: at.toISOString(),
  });
  if (!found) return null;
  await noteUse(services, found, { at, ip });
  const role = roleOfMemberType[found.memberType];
  const scopes = found.scopes.filter((scope): scope is Scope => isScope(scope) && mayHaveScope(role, scope));
  return { id: found.id, userId: found.userId, role, twoStep: found.twoStep, scopes: new Set(scopes) };
}

/** Waits for nobody: a use that is noted at this moment by another request needs no second note. */
async function noteUse({ pool }: Services, token: FoundToken, { at, ip }: { at: Date; ip: string }): Promise<void> {
  const noted = after(at, -NOTED_EVERY_MS);
  if (token.lastUsedAt && token.lastUsedAt > noted && token.lastUsedAt <= at) return;
  await pool.query({
    name: "note-use-of-personal-access-token",
    text: `update personal_access_tokens set last_used_at = $2, last_used_ip = $3
            where id = (select id from personal_access_tokens
                         where id = $1 and (last_used_at is null or last_used_at <= $4 or last_used_at > $2)
                           for update skip locked)`,
    values: [token.id, at, ip, noted],
  });
}
