import type { Context } from "#api/platform/context.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import { inTransaction } from "#api/platform/transactions.ts";

/** So many months are made ahead of the present one. */
const MONTHS_AHEAD = 3;

/** Key of the advisory lock that lets one process at a time change the partitions. */
const PARTITIONS_LOCK = 7_426_003;

/** How long a detached month can be attached again before it is dropped. */
const DETACHED_MS = 7 * DAY;

/** At most one month is detached, and one dropped, within this time, whatever the settings and clocks say. */
const PAUSE_MS = DAY;

const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Creates the partitions of licence events for the current and the next months, and for months with rows in the default
 * partition, one per part. Then detaches the oldest month past KEEP_LICENCE_EVENTS_MONTHS, and drops one that was detached
 * a week ago and is still past it: at most one each per run and day. Gives up until the next sweep where others keep a
 * lock for longer than a moment: nothing is lost meanwhile, the default partition takes what no month covers.
 */
export const keepEventPartitions = destructiveWork({
  name: "licence-event-partitions",
  everySeconds: 600,
  async run(context, now) {
    try {
      return await inTransaction(context, async (em) => {
        const [lock] = await query<{ taken: boolean }>(em, "select pg_try_advisory_xact_lock($1) as taken", [
          PARTITIONS_LOCK,
        ]);
        if (!lock?.taken) return 0;
        // Everybody who asks queues behind a waiting lock, so it waits for a moment only. Moving rows may take long.
        await query(em, "set local lock_timeout = '400ms'", []);
        await query(em, "set local statement_timeout = '60s'", []);
        if (await makeNextMonth(em, now)) return 1;
        await forgetAttachedMonths(em);
        await detachOldestMonth(context, em, now);
        await dropDetachedMonth(context, em, now);
        return 0;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      context.log.info({ sweep: "licence-event-partitions" }, "The licence events are busy; trying again later.");
      return 0;
    }
  },
});

async function makeNextMonth(em: EntityManager, now: Date): Promise<boolean> {
  const made = new Set(await monthsMade(em));
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthOf(now, ahead));
  const month = wanted.find((one) => !made.has(nameOf(one))) ?? (await monthInDefault(em));
  if (!month) return false;
  await makeMonth(em, month, now);
  return true;
}

/**
 * Attaches the month's partition rather than creating it in place: that leaves readers and writers of the other
 * months alone. Nobody writes into a month that is yet to come. Into one that has begun somebody may: they wait at
 * the table for the few milliseconds, and find the new partition, instead of being refused by the default one.
 */
async function makeMonth(em: EntityManager, month: Date, now: Date): Promise<void> {
  const name = nameOf(month);
  const [from, to] = [month.toISOString(), monthOf(month, 1).toISOString()];
  if (month <= after(now, DAY)) await query(em, "lock table only licence_events in share row exclusive mode", []);
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

/** Detaches the oldest month past its keeping; its table and rows stay. */
async function detachOldestMonth({ config, log }: Context, em: EntityManager, now: Date): Promise<void> {
  const oldestKept = oldestKeptMonth(config.keepLicenceEventsMonths, now);
  if (!oldestKept) return;
  const name = (await monthsMade(em)).find((one) => one < nameOf(oldestKept));
  if (!name || (await hasLately(em, "detached_at", now))) return;
  const month = monthNamed(name);
  await query(em, `alter table licence_events detach partition ${name}`, []);
  await query(
    em,
    `insert into detached_event_months (name, starts_at, ends_at, detached_at) values ($1, $2, $3, $4)
     on conflict (name) do update set detached_at = excluded.detached_at, dropped_at = null`,
    [name, month, monthOf(month, 1), now],
  );
  log.warn(
    { month: name, dropsAt: after(now, DETACHED_MS).toISOString() },
    "A month of licence events is past KEEP_LICENCE_EVENTS_MONTHS and was detached. It will be dropped in a week.",
  );
}

/** Drops a month that has been detached for a week, unless the settings say by now that it is to be kept. */
async function dropDetachedMonth({ config, log }: Context, em: EntityManager, now: Date): Promise<void> {
  const oldestKept = oldestKeptMonth(config.keepLicenceEventsMonths, now);
  if (!oldestKept || (await hasLately(em, "dropped_at", now))) return;
  const [due] = await query<{ name: string }>(
    em,
    `select name from detached_event_months
      where dropped_at is null and detached_at <= $1 and ends_at <= $2 order by name limit 1`,
    [after(now, -DETACHED_MS), oldestKept],
  );
  if (!due) return;
  // Without cascade: a table that something else depends on stays.
  await query(em, `drop table if exists ${nameOf(monthNamed(due.name))}`, []);
  await query(em, "update detached_event_months set dropped_at = $2 where name = $1", [due.name, now]);
  log.warn({ month: due.name }, "A month of licence events, detached a week ago, was dropped.");
}

/** Removes the records of months that an operator has attached again. */
async function forgetAttachedMonths(em: EntityManager): Promise<void> {
  await query(em, "delete from detached_event_months where dropped_at is null and name = any($1)", [
    await monthsMade(em),
  ]);
}

/** Whether a month was detached or dropped less than {@link PAUSE_MS} ago. */
async function hasLately(em: EntityManager, column: "detached_at" | "dropped_at", now: Date): Promise<boolean> {
  const rows = await query(em, `select from detached_event_months where ${column} > $1 limit 1`, [
    after(now, -PAUSE_MS),
  ]);
  return rows.length > 0;
}

/** Returns the names of the tables of months that are detached and not dropped yet, oldest first. */
export async function listDetachedMonths(em: EntityManager): Promise<string[]> {
  const rows = await query<{ name: string }>(
    em,
    `select m.name from detached_event_months m
      where m.dropped_at is null and to_regclass('public.' || m.name) is not null order by 1`,
    [],
  );
  return rows.map(({ name }) => nameOf(monthNamed(name)));
}

function oldestKeptMonth(keptMonths: number | null, now: Date): Date | null {
  return keptMonths === null ? null : monthOf(now, -keptMonths);
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

/** A month with rows in the default partition that has no table yet, if there is one. */
async function monthInDefault(em: EntityManager): Promise<Date | null> {
  // The table of a detached month still has the month's name.
  const [row] = await query<{ at: Date | string }>(
    em,
    `select e.at from licence_events_default e
      where not exists (select from detached_event_months m
                         where m.dropped_at is null and e.at >= m.starts_at and e.at < m.ends_at) limit 1`,
    [],
  );
  return row ? monthOf(new Date(row.at), 0) : null;
}

/** The beginning of the month, UTC, so many months on. */
function monthOf(moment: Date, ahead: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1));
}

function nameOf(month: Date): string {
  return `licence_events_${month.getUTCFullYear()}_${String(month.getUTCMonth() + 1).padStart(2, "0")}`;
}

/** The beginning of the month that a partition is named after. */
function monthNamed(name: string): Date {
  return new Date(`${name.slice(-7).replace("_", "-")}-01T00:00:00Z`);
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === LOCK_NOT_AVAILABLE;
}
