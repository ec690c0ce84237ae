import { MemberType, labelOf, productLevels, trialLevels } from "#schema/catalogue.ts";
import { after, DAY, epochSeconds } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { licenceBacking } from "./licence-backing.ts";
import { isInForceSql } from "./licence-status.ts";

/**
 * Days before the end, and for how many days after that moment the reminder is still sent: a mail
 * system that was away over a weekend is made up for, one that says '30 days' a week late is not.
 */
const reminders = [
  { days: 30, lateDays: 3 },
  { days: 7, lateDays: 3 },
  { days: 1, lateDays: 1 },
] as const;

/** Mails written in one part of the sweep. */
const AT_ONCE = 100;

interface ExpiringLicence {
  readonly id: string;
  readonly first_name: string;
  readonly email: string;
  readonly member_type: number;
  readonly product_level: number;
  readonly support_code: string;
  /** The pool under the ORM hands moments over as PostgreSQL writes them. */
  readonly expires_at: string;
}

/**
 * Reminds of the end of a licence that no subscription keeps alive, each time once a licence and end: an end that
 * is moved is announced anew. A licence that was shorter than a reminder's days from the start needs none of it;
 * trials have mails of their own.
 */
export const announceExpiringLicences: DueWork = {
  name: "announce-expiring-licences",
  everySeconds: 60,
  async run(context) {
    const now = context.clock.now();
    let written = 0;
    for (const { days, lateDays } of reminders) {
      const { rows } = await context.pool.query<ExpiringLicence>(expiring(days), [
        after(now, (days - lateDays) * DAY),
        after(now, days * DAY),
      ]);
      for (const licence of rows) await remind(context, licence, days);
      written += rows.length;
    }
    return written;
  },
};

const expiring = (days: number) => `
  select l.id, u.first_name, u.email, u.member_type, l.product_level, l.support_code, l.expires_at
    from licences l join users u on u.id = l.user_id
   where l.expires_at > $1 and l.expires_at <= $2 and l.created_at <= l.expires_at - interval '${days} days'
     and l.product_level not in (${trialLevels.join(", ")}) and ${isInForceSql}
     and u.archived_at is null
     and not ${licenceBacking.get().isRenewedSql}
     and not exists (select from mails m where m.dedupe_key = ${dedupeKey("l.id", "floor(extract(epoch from l.expires_at))::bigint", days)})
   order by l.expires_at limit ${AT_ONCE}`;

/** SQL of the key under which a reminder is written once. */
function dedupeKey(id: string, endsAt: string, days: number): string {
  return `'licence-expiring:' || ${id} || ':' || ${endsAt} || ':${days}'`;
}

async function remind(context: Context, licence: ExpiringLicence, days: number): Promise<void> {
  const expiresAt = new Date(licence.expires_at);
  await sendMail(context, context.em, {
    template: "licence-expiring",
    to: licence.email,
    data: {
      firstName: licence.first_name,
      subscriptionLevel: labelOf(productLevels, licence.product_level),
      supportCode: licence.support_code,
      expiresAt,
      daysLeft: Math.max(1, Math.ceil((expiresAt.getTime() - context.clock.now().getTime()) / DAY)),
      maySubscribe: licence.member_type === MemberType.Regular,
    },
    dedupeKey: `licence-expiring:${licence.id}:${epochSeconds(expiresAt)}:${days}`,
  });
}
