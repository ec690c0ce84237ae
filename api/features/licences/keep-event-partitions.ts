import type { Context } from "#api/platform/context.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { type EntityManager, query } from "#api/platform/database.ts";

/** So many months are made ahead of the present one. */
const MONTHS_AHEAD = 3;

/** Key of the advisory lock that lets one process at a time change the partitions. */
const PARTITIONS_LOCK = 7_426_003;

const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Makes the partitions of licence events for the present and the next months, and for months whose rows lie in
 * the default partition; drops months older than KEEP_LICENCE_EVENTS_MONTHS. One partition a part. Where others
 * hold a lock for longer than a moment it gives up until the next sweep: nothing is lost meanwhile, the default
 * partition catches what no month covers.
 */
export const keepEventPartitions: DueWork = {
  name: "licence-event-partitions",
  everySeconds: 600,
  async run(context) {
    try {
      return await context.em.transactional(async (em) => {
        const [lock] = await query<{ taken: boolean }>(em, "select pg_try_advisory_xact_lock($1) as taken", [
          PARTITIONS_LOCK,
        ]);
        if (!lock?.taken) return 0;
        // Everybody who asks queues behind a waiting lock, so it waits for a moment only. Moving rows may take long.
        await query(em, "set local lock_timeout = '400ms'", []);
        await query(em, "set local statement_timeout = '60s'", []);
        return (await makeNextMonth(context, em)) || (await dropOldestMonth(context, em)) ? 1 : 0;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      context.log.info({ sweep: "licence-event-partitions" }, "The licence events are busy; trying again later.");
      return 0;
    }
  },
};

async function makeNextMonth(context: Context, em: EntityManager): Promise<boolean> {
  const now = context.clock.now();
  const made = new Set(await monthsMade(em));
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
  const month = wanted.find((one) => !made.has(nameOf(one))) ?? (await monthInDefault(em));
  if (!month) return false;
  await makeMonth(context, em, month);
  return true;
}

/**
 * Attaches the month's partition rather than creating it in place: that leaves readers and writers of the other
 * months alone. Nobody writes into a month that is yet to come. Into one that has begun somebody may: they wait at
 * the table for the few milliseconds, and find the new partition, instead of being refused by the default one.
 */
async function makeMonth(context: Context, em: EntityManager, month: Date): Promise<void> {
  const name = nameOf(month);
  const [from, to] = [month.toISOString(), monthOf(month, 1).toISOString()];
  if (month <= after(context.clock.now(), DAY))
    await query(em, "lock table only licence_events in share row exclusive mode", []);
  await query(em, `create table ${name} (like licence_events including all) with (fillfactor = 90)`, []);
  // With this the attaching need not look through the rows.
  await query(em, `alter table ${name} add constraint in_month check (at >= '${from}' and at < '${to}')`, []);
  await query(em, "lock table licence_events_default in access exclusive mode", []);
  await query(
    em,
    `with moved as (delete from licence_events_default where at >= $1 and at < $2 returning *)
     insert into ${name} select * from moved`,
    [from, to],
  );
  await query(em, `alter table licence_events attach partition ${name} for values from ('${from}') to ('${to}')`, []);
  await query(em, `alter table ${name} drop constraint in_month`, []);
}

async function dropOldestMonth({ clock, config, log }: Context, em: EntityManager): Promise<boolean> {
  if (config.keepLicenceEventsMonths === null) return false;
  const oldestKept = monthOf(clock.now(), -config.keepLicenceEventsMonths);
  const stale = (await monthsMade(em)).find((name) => name < nameOf(oldestKept));
  if (!stale) return false;
  await query(em, `drop table ${stale}`, []);
  log.info({ month: stale }, "Licence events past their keeping were dropped.");
  return true;
}

/** Names of the months' partitions, oldest first. */
async function monthsMade(em: EntityManager): Promise<string[]> {
  const rows = await query<{ name: string }>(
    em,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'licence_events'::regclass and c.relname ~ '^licence_events_\\d{4}_\\d{2}$' order by 1`,
    [],
  );
  return rows.map(({ name }) => name);
}

/** A month with rows in the default partition, if there is one. */
async function monthInDefault(em: EntityManager): Promise<Date | null> {
  const [row] = await query<{ at: Date | string }>(em, "select at from licence_events_default limit 1", []);
  return row ? monthOf(new Date(row.at), 0) : null;
}

/** The beginning of the month, UTC, so many months on. */
function monthOf(moment: Date, ahead: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1));
}

function nameOf(month: Date): string {
  return `licence_events_${month.getUTCFullYear()}_${String(month.getUTCMonth() + 1).padStart(2, "0")}`;
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === LOCK_NOT_AVAILABLE;
}
