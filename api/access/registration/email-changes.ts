import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { generateSecret, hashSecret } from "#api/platform/keys/secrets.ts";
import type { TakenAddress } from "#api/messaging/emails/templates/already-registered.tsx";
import { keptEmailSql } from "#api/people/merges/account-merge.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { EmailChange } from "./email-token.entity.ts";
import { buildEmailLink } from "./email-tokens.ts";

/** Days in which the owner of a replaced email address can undo the change. */
export const UNDO_DAYS = 7;

/**
 * Creates the link that restores a user's confirmed email address for 7 days. Until then nobody else can use the address.
 * Returns null if the address was never confirmed, because a stranger may receive its emails. Runs in the transaction of
 * `em`, which must have locked the user's row.
 */
export function createUndoLink(context: Context, em: EntityManager, user: User, oldEmail: string): string | null {
  if (!user.emailConfirmedAt) return null;
  const now = context.clock.now();
  const secret = generateSecret();
  em.create(EmailChange, {
    user,
    oldEmail,
    oldSignInEmail: oldEmail.toLowerCase(),
    tokenHash: hashSecret(secret),
    createdAt: now,
    expiresAt: addMilliseconds(now, UNDO_DAYS * DAY),
  });
  return buildEmailLink(context, "/undo-email-change/", secret);
}

/**
 * Cancels the links of a user's changes since an address was replaced, including its own. Call it when the address
 * returns, so that a later address can't undo that.
 * @param number a change that has just been undone and is no longer stored
 * @returns whether the address was replaced within the last 7 days.
 */
export async function cancelUndoLinksSince(
  em: EntityManager,
  userId: string,
  address: string,
  number?: string,
): Promise<boolean> {
  const cancelled = await query(
    em,
    `delete from email_changes where user_id = $1
        and number >= least($3::bigint,
              (select min(number) from email_changes where user_id = $1 and old_sign_in_email = $2))
     returning id`,
    [userId, address.toLowerCase(), number ?? null],
  );
  return cancelled.length > 0;
}

/** Returns whether another account has an address or had it within the last 7 days. */
export async function isAddressTaken(em: EntityManager, address: string, exceptUserId?: string): Promise<boolean> {
  const found = await query(
    em,
    `select from users where sign_in_email = $1 and id is distinct from $2::uuid
     union all
     select from email_changes where old_sign_in_email = $1 and user_id is distinct from $2::uuid limit 1`,
    [address.toLowerCase(), exceptUserId ?? null],
  );
  return found.length > 0;
}

/**
 * Returns what the owner of a taken address has to know: until when it is reserved if their account replaced it within the
 * last 7 days, otherwise null, whether the account is archived, and into which one it was merged, or unconfirmed.
 */
export async function describeTakenAddress(em: EntityManager, address: string): Promise<TakenAddress> {
  // A change that was only requested has a link, too.
  const [found] = await query<Omit<TakenAddress, "reservedUntil"> & { until: string | null }>(
    em,
    `select (select max(expires_at) from email_changes where old_sign_in_email = $1
                and not exists (select from users where sign_in_email = $1)) as until,
            exists (select from users where sign_in_email = $1 and archived_at is not null) as "isArchived",
            (select ${keptEmailSql("users.id")} from users where sign_in_email = $1 and archived_at is not null) as "keptEmail",
            exists (select from users where sign_in_email = $1 and archived_at is null
                       and email_confirmed_at is null) as "isUnconfirmed"`,
    [address.toLowerCase()],
  );
  const { until = null, isArchived = false, keptEmail = null, isUnconfirmed = false } = found ?? {};
  return { reservedUntil: until === null ? null : new Date(until), isArchived, keptEmail, isUnconfirmed };
}

/** Releases replaced addresses after 7 days. */
export const releaseOldAddresses = defineDestructiveSweep({
  name: "release-old-addresses",
  everySeconds: 60,
  async run({ pool }, now) {
    const { rowCount } = await pool.query("delete from email_changes where expires_at <= $1", [now]);
    return rowCount ?? 0;
  },
});
