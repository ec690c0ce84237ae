import { cleanEmail } from "#schema/clean-text.ts";
import { findCountry } from "#schema/address.ts";
import { type EntityManager, inTransaction, LOWEST_ID, query } from "#api/platform/database/database.ts";
import { readSetting, saveSetting } from "#api/platform/database/stored-settings.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { getGstBasisPoints } from "#api/billing/plans/price-quote.ts";

/** Maximum number of users in one transaction. */
const BATCH_SIZE = 500;

/** Name of the setting with the last user that was read. It has a new number when the rules of {@link cleanEmail} change. */
const SETTING = "unified_users_2";

interface StoredUser {
  readonly id: string;
  readonly country: string;
  readonly email: string;
  readonly signInEmail: string | null;
}

/**
 * Reads every user once, after a release that cleans text differently or changes the list of countries. Stores addresses of
 * accounts in the spelling in which they are compared now, unless another account has it. Marks accounts whose country is stored so that
 * they pay no GST, although it names a country with GST: staff get a list of them. Changes no country and no amount.
 */
export const unifyStoredUsers: Sweep = {
  name: "unify-stored-users",
  everySeconds: 600,
  run: (context) => inTransaction(context, unifyBatch),
};

async function unifyBatch(em: EntityManager): Promise<number> {
  const progress = await readSetting<{ after: string }>(em, SETTING);
  const users = await query<StoredUser>(
    em,
    `select id, country, email, sign_in_email as "signInEmail" from users where id > $1 order by id limit ${BATCH_SIZE}`,
    [progress?.after ?? LOWEST_ID],
  );
  const last = users.at(-1);
  if (!last) return 0;
  const untaxed = users.filter(
    ({ country }) => getGstBasisPoints(findCountry(country) ?? country) !== getGstBasisPoints(country),
  );
  await query(
    em,
    `update users u set unlisted_country = r.country
       from unnest($1::uuid[], $2::text[]) r(id, country) where u.id = r.id`,
    [untaxed.map(({ id }) => id), untaxed.map(({ country }) => country)],
  );
  for (const user of users) {
    const key = user.signInEmail && cleanEmail(user.signInEmail).toLowerCase();
    if (key !== user.signInEmail) await unifyAddress(em, user, key);
  }
  await saveSetting(em, SETTING, { after: last.id });
  return users.length;
}

/** Stores an address in its spelling, unless the user has confirmed another one since it was read. */
async function unifyAddress(
  em: EntityManager,
  { id, email, signInEmail }: StoredUser,
  key: string | null,
): Promise<void> {
  await query(
    em,
    `update users u set email = $3, sign_in_email = $2 where u.id = $1 and u.email = $4 and u.sign_in_email = $5
       and not exists (select from users o where o.sign_in_email = $2)
       and not exists (select from email_changes c where c.old_sign_in_email = $2 and c.user_id <> u.id)`,
    [id, key, cleanEmail(email), email, signInEmail],
  );
}
