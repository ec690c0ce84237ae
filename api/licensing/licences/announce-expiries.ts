import { trialLevels } from "#schema/product-level.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { Licence } from "./licence.entity.ts";
import { licenceBacking } from "./licence-backing.ts";
import { recordLicenceWebhooks } from "./licence-webhook-data.ts";

/** Name of the setting with the time up to which expiries were announced. */
const NAME = "licence-expiry-webhooks";

/** Days before expiry at which `licence.expiring` is sent. */
const EXPIRING_DAYS = 7;

/** Maximum number of licences read in one transaction, besides ones with the time of the last. */
const BATCH_SIZE = 500;

/**
 * Records webhook events for licences that expired or expire in {@link EXPIRING_DAYS} days since the last run. The
 * progress is stored in the transaction of the events, so each licence gets exactly one for each expiry date.
 */
export const announceExpiries = defineDestructiveSweep({
  name: "announce-licence-expiries",
  everySeconds: 60,
  run: (context, now) => inTransaction(context, (em) => announceBatch(context, em, now)),
});

async function announceBatch(context: Context, em: EntityManager, now: Date): Promise<number> {
  await query(em, "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
    NAME,
    JSON.stringify({ expired: now, expiring: now }),
  ]);
  const [setting] = await query<{ value: { expired: string; expiring: string } }>(
    em,
    "select value from settings where name = $1 for update skip locked",
    [NAME],
  );
  if (!setting) return 0;
  const days = EXPIRING_DAYS * DAY;
  const expired = await findExpiries(em, new Date(setting.value.expired), now, 0);
  const expiring = await findExpiries(em, new Date(setting.value.expiring), now, days);
  const isTrial = ({ productLevel }: Licence) => trialLevels.some((level) => level === productLevel);
  await recordLicenceWebhooks(context, em, "trial.ended", expired.licences.filter(isTrial));
  await recordLicenceWebhooks(
    context,
    em,
    "licence.expired",
    expired.licences.filter((licence) => !isTrial(licence)),
  );
  await recordLicenceWebhooks(context, em, "licence.expiring", expiring.licences);
  await query(em, "update settings set value = $2 where name = $1", [
    NAME,
    JSON.stringify({ expired: expired.until, expiring: expiring.until }),
  ]);
  return expired.licences.length + expiring.licences.length;
}

/** Returns the licences whose expiry, `ahead` milliseconds earlier, is after `from` and not after `until`, and how far it read. */
async function findExpiries(
  em: EntityManager,
  from: Date,
  until: Date,
  ahead: number,
): Promise<{ licences: Licence[]; until: Date }> {
  const isRenewed = ahead > 0 ? `and not ${licenceBacking.get().isRenewedSql}` : "";
  const rows = await query<{ id: string; expires_at: Date | string }>(
    em,
    `select l.id, l.expires_at from licences l
      where l.expires_at > greatest($1::timestamptz, $3) and l.expires_at <= $2 and l.revoked_at is null ${isRenewed}
      order by l.expires_at fetch first ${BATCH_SIZE} rows with ties`,
    // After an outage, a licence that has expired meanwhile isn't expiring.
    [addMilliseconds(from, ahead), addMilliseconds(until, ahead), ahead > 0 ? until : from],
  );
  const last = rows.length >= BATCH_SIZE ? rows.at(-1) : undefined;
  return {
    licences: rows.length > 0 ? await em.find(Licence, { id: { $in: rows.map(({ id }) => id) } }) : [],
    until: last ? addMilliseconds(new Date(last.expires_at), -ahead) : until,
  };
}
