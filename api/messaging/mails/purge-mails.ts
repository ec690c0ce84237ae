import { DAY, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** Days that an email stays in the outbox. */
export const KEPT_DAYS = 90;

/** Days that the last email to an erased user waits for a mail server that doesn't take it. */
const KEPT_DAYS_OF_ERASED = 7;

const AT_ONCE = 1_000;

/**
 * Removes emails older than 90 days, a batch at a time. Of an announcement that must not go out twice, the row with its
 * key stays, without recipient, subject and text.
 */
export const purgeMails = destructiveWork({
  name: "purge-mails",
  everySeconds: DAY / SECOND,
  run: purgeOldMails,
});

async function purgeOldMails({ pool }: Context, now: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `with old as materialized (
       (select id, dedupe_key is not null as is_announcement from mails
         where "to" <> '' and created_at < $1::timestamptz - interval '${KEPT_DAYS} days'
         order by created_at limit ${AT_ONCE})
       union
       (select id, false from mails
         where erase_when_delivered and created_at < $1::timestamptz - interval '${KEPT_DAYS_OF_ERASED} days'
         limit ${AT_ONCE})),
     emptied as (
       update mails m set "to" = '', reply_to = null, subject = '', text = '', html = '', attachment = null, last_error = null
         from old where m.id = old.id and old.is_announcement),
     gone as (delete from mails m using old where m.id = old.id and not old.is_announcement)
     select count(*)::int as count from old`,
    [now],
  );
  return rows[0]?.count ?? 0;
}
