import { isTrialLevel, productLevels } from "#schema/product-level.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { saveSetting, takeSetting } from "#api/platform/database/stored-settings.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { Licence, licenceBacking } from "./licence.entity.ts";
import { recordLicenceWebhooks } from "./licence-webhook-data.ts";
import { MemberType } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { emailOwnerOnce, type Owner } from "./email-owner.ts";
import { licenceExpiring } from "#api/messaging/emails/templates/licence-expiring.tsx";
import { isEmailedSql, isInForceSql, isTrialSql } from "./licence-status.ts";

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
  const initial = { expired: now, expiring: now };
  const progress = await takeSetting<{ expired: string; expiring: string }>(em, NAME, initial);
  if (!progress) return 0;
  const days = EXPIRING_DAYS * DAY;
  const expired = await findExpiries(em, new Date(progress.expired), now, 0);
  const expiring = await findExpiries(em, new Date(progress.expiring), now, days);
  const isTrial = ({ productLevel }: Licence) => isTrialLevel(productLevel);
  await recordLicenceWebhooks(context, em, "trial.ended", expired.licences.filter(isTrial));
  await recordLicenceWebhooks(
    context,
    em,
    "licence.expired",
    expired.licences.filter((licence) => !isTrial(licence)),
  );
  await recordLicenceWebhooks(context, em, "licence.expiring", expiring.licences);
  await saveSetting(em, NAME, { expired: expired.until, expiring: expiring.until });
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

/**
 * Days before expiry, and the number of days a reminder may be late. Reminders are sent even after a weekend without
 * email service, but a '30 days' reminder is never sent a week late.
 */
const reminders = [
  { days: 30, lateDays: 3 },
  { days: 7, lateDays: 3 },
  { days: 1, lateDays: 1 },
] as const;

/** Maximum number of emails created in one batch of the sweep. */
const MAX_EMAILS = 100;

interface ExpiringLicence extends Owner {
  readonly id: string;
  readonly member_type: number;
  readonly product_level: number;
  readonly support_code: string;
  /** The pool below the ORM returns timestamps as PostgreSQL formats them. */
  readonly expires_at: string;
  readonly is_subscribed: boolean | null;
  readonly renewal_invoice: string | null;
  /** Key that prevents a reminder from being sent twice. */
  readonly dedupeKey: string;
}

/**
 * Emails reminders before a licence expires if no subscription renews it. Each reminder is sent once per licence and
 * expiry date, so a licence whose expiry date changes gets new reminders. A licence issued for less time than a
 * reminder's period doesn't get that reminder. Trials have their own emails.
 */
export const sendExpiryReminders: Sweep = {
  name: "announce-expiring-licences",
  everySeconds: 60,
  async run(context) {
    const now = context.clock.now();
    let written = 0;
    for (const { days, lateDays } of reminders) {
      const { rows } = await context.pool.query<ExpiringLicence>(expiringLicencesSql(days), [
        addMilliseconds(now, (days - lateDays) * DAY),
        addMilliseconds(now, days * DAY),
      ]);
      written += await finishEach(context, rows, (licence) => emailReminder(context, licence));
    }
    return written;
  },
};

const expiringLicencesSql = (days: number) => `
  select l.id, u.id as "userId", u.first_name as "firstName", u.email, u.member_type, l.product_level, l.support_code,
         l.expires_at, ${licenceBacking.get().isSubscribedSql} as is_subscribed,
         ${licenceBacking.get().renewalInvoiceSql} as renewal_invoice, k."dedupeKey"
    from licences l join users u on u.id = l.user_id
   cross join lateral (select 'licence-expiring:' || l.id || ':' || floor(extract(epoch from l.expires_at))::bigint
                                || ':${days}' as "dedupeKey") k
   where l.expires_at > $1 and l.expires_at <= $2 and l.created_at <= l.expires_at - interval '${days} days'
     and not ${isTrialSql} and ${isInForceSql} and ${isEmailedSql}
     and not ${licenceBacking.get().isRenewedSql}
     and not exists (select from mails m where m.dedupe_key = k."dedupeKey")
   order by l.expires_at limit ${MAX_EMAILS}`;

function emailReminder(context: Context, licence: ExpiringLicence): Promise<boolean> {
  const expiresAt = new Date(licence.expires_at);
  const canSubscribe = licence.is_subscribed === null && licence.member_type === MemberType.Regular;
  return emailOwnerOnce(context, licence, licence.dedupeKey, licenceExpiring, {
    subscriptionLevel: findLabel(productLevels, licence.product_level),
    supportCode: licence.support_code,
    expiresAt,
    daysLeft: Math.max(1, Math.ceil((expiresAt.getTime() - context.clock.now().getTime()) / DAY)),
    invoice: licence.renewal_invoice,
    renewal: licence.is_subscribed ? "resume" : canSubscribe ? "subscribe" : "ask",
  });
}
