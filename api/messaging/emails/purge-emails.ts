import { DAY, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";

/** Days an email is kept in the outbox. */
export const KEPT_DAYS = 90;

/** Days the last email to an erased user is kept if the SMTP server never accepts it. */
const KEPT_DAYS_FOR_ERASED_USERS = 7;

const BATCH_SIZE = 1_000;

/**
 * Deletes emails older than 90 days, in batches. Emails with a dedupe key keep an empty row, so that the notification
 * isn't sent again.
 */
export const purgeEmails = defineDestructiveSweep({
  name: "purge-mails",
  everySeconds: DAY / SECOND,
  run: purgeOldEmails,
});

async function purgeOldEmails({ pool }: Context, now: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `with old as materialized (
       (select id, dedupe_key is not null as is_announcement from mails
         where "to" <> '' and created_at < $1::timestamptz - interval '${KEPT_DAYS} days'
         order by created_at limit ${BATCH_SIZE})
       union
       (select id, false from mails
         where erase_when_delivered and created_at < $1::timestamptz - interval '${KEPT_DAYS_FOR_ERASED_USERS} days'
         limit ${BATCH_SIZE})),
     emptied as (
       update mails m set "to" = '', reply_to = null, subject = '', text = '', html = '', attachment = null, last_error = null
         from old where m.id = old.id and old.is_announcement),
     gone as (delete from mails m using old where m.id = old.id and not old.is_announcement)
     select count(*)::int as count from old`,
    [now],
  );
  return rows[0]?.count ?? 0;
}
