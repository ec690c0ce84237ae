import type { Context } from "#api/platform/context.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";

/** Number of months created ahead of the current one. */
const MONTHS_AHEAD = 3;

/** Key of the advisory lock that allows only one process at a time to change the partitions. */
const PARTITIONS_LOCK = 7_426_005;

/** Time during which a detached month can be attached again before it is dropped, in milliseconds. */
const DETACHED_MS = 7 * DAY;

/**
 * Minimum time between two months being detached, or two being dropped, in milliseconds. It limits the damage of a
 * wrong setting or clock.
 */
const PAUSE_MS = DAY;

const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Creates the partitions of licence events for the current and the next months, and for months with rows in the default
 * partition, one per run. Then detaches the oldest month past KEEP_LICENCE_EVENTS_MONTHS, and drops a month that was
 * detached a week ago, has been archived and is still past that limit. Detaches at most one month a day and drops at most one month a day.
 * Gives up until the next sweep if another transaction has a conflicting lock. No events are lost meanwhile, because
 * the default partition accepts rows outside all months.
 */
export const maintainEventPartitions = defineDestructiveSweep({
  name: "licence-event-partitions",
  everySeconds: 600,
  async run(context, now) {
    try {
      return await inTransaction(context, async (em) => {
        const lock = await queryRow<{ taken: boolean }>(em, "select pg_try_advisory_xact_lock($1) as taken", [
          PARTITIONS_LOCK,
        ]);
        if (!lock.taken) return 0;
        // Wait only briefly for the lock, because all later queries queue behind a waiting lock. Moving the
        // rows gets more time.
        await query(em, "set local lock_timeout = '400ms'", []);
        await query(em, "set local statement_timeout = '60s'", []);
        if (await createNextPartition(em, now)) return 1;
        await deleteAttachedMonthRecords(em);
        await detachOldestMonth(context, em, now);
        await dropDetachedMonth(context, em, now);
        return 0;
      });
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== LOCK_NOT_AVAILABLE) throw error;
      context.log.info({ sweep: "licence-event-partitions" }, "The licence events are busy; trying again later.");
      return 0;
    }
  },
});

async function createNextPartition(em: EntityManager, now: Date): Promise<boolean> {
  const existing = new Set(await listPartitions(em));
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => startOfMonth(now, ahead));
  const month = wanted.find((one) => !existing.has(partitionName(one))) ?? (await findMonthInDefault(em));
  if (!month) return false;
  await createPartition(em, month, now);
  return true;
}

/**
 * Creates the month's partition and then attaches it, which doesn't block readers and writers of the other months. A
 * future month has no writers. If the month has begun, writers wait a few milliseconds for the table lock and then find
 * the new partition, instead of an error from the default partition.
 */
async function createPartition(em: EntityManager, month: Date, now: Date): Promise<void> {
  const name = partitionName(month);
  const [from, to] = [month.toISOString(), startOfMonth(month, 1).toISOString()];
  if (month <= addMilliseconds(now, DAY))
    await query(em, "lock table only licence_events in share row exclusive mode", []);
  await query(em, `create table ${name} (like licence_events including all) with (fillfactor = 90)`, []);
  // With this constraint PostgreSQL doesn't need to scan the rows when attaching.
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

/** Attaches an empty table for a dropped month, unless a repeated call finds it. Waits for a running sweep. */
export async function attachMonthAgain(em: EntityManager, name: string, now: Date): Promise<void> {
  await query(em, "select pg_advisory_xact_lock($1)", [PARTITIONS_LOCK]);
  if (!(await listPartitions(em)).includes(name)) await createPartition(em, parsePartitionName(name), now);
}

/** Detaches the oldest month that is past its retention. Its table and rows remain. */
async function detachOldestMonth({ config, log }: Context, em: EntityManager, now: Date): Promise<void> {
  const oldestKept = oldestKeptMonth(config.keepLicenceEventsMonths, now);
  if (!oldestKept) return;
  const restored = await query<{ name: string }>(em, "select name from detached_event_months where kept_until > $1", [
    now,
  ]);
  const kept = new Set(restored.map(({ name }) => name));
  const name = (await listPartitions(em)).find((one) => one < partitionName(oldestKept) && !kept.has(one));
  if (!name || (await hasRecentChange(em, "detached_at", now))) return;
  const month = parsePartitionName(name);
  await query(em, `alter table licence_events detach partition ${name}`, []);
  // A restored month keeps its archive, because the restore may be incomplete. Only newer events are added to it.
  await query(
    em,
    `insert into detached_event_months (name, starts_at, ends_at, detached_at) values ($1, $2, $3, $4)
     on conflict (name) do update set detached_at = excluded.detached_at, dropped_at = null, archived_at = null`,
    [name, month, startOfMonth(month, 1), now],
  );
  log.warn(
    { month: name, dropsAt: addMilliseconds(now, DETACHED_MS).toISOString() },
    "A month of licence events is past KEEP_LICENCE_EVENTS_MONTHS and was detached. It will be archived now and dropped in a week.",
  );
}

/** Drops a month that was detached a week ago and has been archived, unless the settings now say to keep it. */
async function dropDetachedMonth({ config, log }: Context, em: EntityManager, now: Date): Promise<void> {
  const oldestKept = oldestKeptMonth(config.keepLicenceEventsMonths, now);
  if (!oldestKept || (await hasRecentChange(em, "dropped_at", now))) return;
  const [due] = await query<{ name: string }>(
    em,
    `select name from detached_event_months
      where dropped_at is null and archived_at is not null and detached_at <= $1 and ends_at <= $2 order by name limit 1`,
    [addMilliseconds(now, -DETACHED_MS), oldestKept],
  );
  if (!due) return;
  // Without cascade, a table that other objects depend on is not dropped.
  await query(em, `drop table if exists ${partitionName(parsePartitionName(due.name))}`, []);
  await query(em, "update detached_event_months set dropped_at = $2 where name = $1", [due.name, now]);
  log.warn({ month: due.name }, "A month of licence events, detached a week ago, was dropped.");
}

/** Deletes the records of months that an operator has attached again. */
async function deleteAttachedMonthRecords(em: EntityManager): Promise<void> {
  await query(em, "delete from detached_event_months where dropped_at is null and name = any($1)", [
    await listPartitions(em),
  ]);
}

/** Returns whether a month was detached or dropped less than {@link PAUSE_MS} ago. */
async function hasRecentChange(em: EntityManager, column: "detached_at" | "dropped_at", now: Date): Promise<boolean> {
  const rows = await query(em, `select from detached_event_months where ${column} > $1 limit 1`, [
    addMilliseconds(now, -PAUSE_MS),
  ]);
  return rows.length > 0;
}

/** Returns the table names of months that are detached but not yet dropped, oldest first. */
export async function listDetachedMonths(em: EntityManager): Promise<string[]> {
  const rows = await query<{ name: string }>(
    em,
    `select m.name from detached_event_months m
      where m.dropped_at is null and to_regclass('public.' || m.name) is not null order by 1`,
    [],
  );
  return rows.map(({ name }) => partitionName(parsePartitionName(name)));
}

function oldestKeptMonth(keptMonths: number | null, now: Date): Date | null {
  return keptMonths === null ? null : startOfMonth(now, -keptMonths);
}

/** Returns the names of the months' partitions, oldest first. */
async function listPartitions(em: EntityManager): Promise<string[]> {
  const rows = await query<{ name: string }>(
    em,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'licence_events'::regclass and c.relname ~ '^licence_events_\\d{4}_\\d{2}$' order by 1`,
    [],
  );
  return rows.map(({ name }) => name);
}

/** Finds a month that has rows in the default partition but no partition yet. */
async function findMonthInDefault(em: EntityManager): Promise<Date | null> {
  // Skip detached months: their tables still exist, so the partition's name is taken.
  const [row] = await query<{ at: Date | string }>(
    em,
    `select e.at from licence_events_default e
      where not exists (select from detached_event_months m
                         where m.dropped_at is null and e.at >= m.starts_at and e.at < m.ends_at) limit 1`,
    [],
  );
  return row ? startOfMonth(new Date(row.at), 0) : null;
}

/** Returns the start of the month that is `ahead` months after the moment, in UTC. */
function startOfMonth(moment: Date, ahead: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1));
}

function partitionName(month: Date): string {
  return `licence_events_${month.getUTCFullYear()}_${String(month.getUTCMonth() + 1).padStart(2, "0")}`;
}

/** Returns the start of the month in a partition's name. */
function parsePartitionName(name: string): Date {
  return new Date(`${name.slice(-7).replace("_", "-")}-01T00:00:00Z`);
}
