import { brand } from "#schema/brand.ts";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { isStatementTimeout } from "#api/platform/errors.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { RUN_MS } from "#api/licensing/licences/record-licence-event.ts";

/** Key of the advisory lock that lets only one process count at a time. */
const ACTIVITY_LOCK = 7_426_027;

/**
 * Age at which events are first counted, in milliseconds: the longest run of identical events, plus time for its
 * transaction.
 */
const SETTLE_DELAY_MS = RUN_MS + 15 * MINUTE;

/** Time between the end of a day and its recount, which includes events that arrived late, in milliseconds. */
const RECOUNT_DELAY_MS = DAY;

/**
 * Possible time spans of a batch, in milliseconds. The widest one that has few enough events is used, or else the last
 * one.
 */
const SPANS_MS = [366 * DAY, 31 * DAY, DAY, HOUR];
const MAX_BATCH_EVENTS = 200_000;

const ZONE: string = brand.timeZone;

interface Progress {
  readonly countedUntil: Date;
  readonly settledUntil: Date;
  readonly timeZone: string;
}

/**
 * Counts the licence events by day, kind and result, and records each device's version, so that the dashboard reads
 * only a few rows per day, regardless of the number of events. Each event is counted once: a batch counts its events
 * and advances `countedUntil` in one transaction, and only one process counts at a time. The dashboard counts later
 * events itself. The first run starts with the oldest events.
 */
export const countActivity = createActivityCount(MAX_BATCH_EVENTS);

/** Creates the sweep with other batches. Tests use small ones. */
export function createActivityCount(maxEvents: number): Sweep {
  return defineDestructiveSweep({
    name: "count-activity",
    everySeconds: 300,
    async run(context, now) {
      return inTransaction(context, async (em) => {
        const { taken } = await queryRow<{ taken: boolean }>(em, "select pg_try_advisory_xact_lock($1) as taken", [
          ACTIVITY_LOCK,
        ]);
        if (!taken) return 0;
        await query(em, "set local statement_timeout = '60s'", []);
        const progress = (await loadProgress(em)) ?? (await startCounting(em, now));
        if (progress.timeZone !== ZONE) return restartCounting(em, progress.timeZone, now);
        const target = startOfHour(addMilliseconds(now, -SETTLE_DELAY_MS));
        if (progress.countedUntil > now) return resetToDay(em, addDays(getCalendarDay(target), -1));
        const batch = { target, now, maxEvents };
        return (await recountDay(context, em, progress, batch)) || countNextBatch(em, progress, batch);
      });
    },
  });
}

/** Returns the time until which events have been counted, or null before the first count. */
export async function getActivityCountedUntil({ pool }: Pick<Context, "pool">): Promise<Date | null> {
  const { rows } = await pool.query<{ ms: number }>(
    "select (extract(epoch from counted_until) * 1000)::float8 as ms from activity_progress",
  );
  return rows[0] ? new Date(rows[0].ms) : null;
}

async function loadProgress(em: EntityManager): Promise<Progress | null> {
  const [row] = await query<{ counted: string; settled: string; zone: string }>(
    em,
    "select counted_until as counted, settled_until as settled, time_zone as zone from activity_progress",
    [],
  );
  return row ? { countedUntil: new Date(row.counted), settledUntil: new Date(row.settled), timeZone: row.zone } : null;
}

/** Starts counting in the month of the oldest event. Avoids querying the minimum event time, which has no index. */
async function startCounting(em: EntityManager, now: Date): Promise<Progress> {
  const oldest = await findOldestEvent(em);
  const from = startOfEventDay(oldest && oldest < now ? oldest : addMilliseconds(now, -DAY));
  await query(em, "delete from daily_activity", []);
  await query(
    em,
    "insert into activity_progress (id, counted_until, settled_until, time_zone) values (1, $1, $1, $2)",
    [from, ZONE],
  );
  return { countedUntil: from, settledUntil: from, timeZone: ZONE };
}

/**
 * Restarts counting by the days of the vendor's current time zone. Days before the oldest remaining event keep their
 * counts, because their events no longer exist.
 */
async function restartCounting(em: EntityManager, oldZone: string, now: Date): Promise<number> {
  const oldest = await findOldestEvent(em);
  // Days before this moment keep the counts of the old time zone. Later days are counted in the new one.
  const from = oldest && oldest < now ? startOfEventDay(oldest, oldZone) : null;
  if (from) await query(em, "delete from daily_activity where day >= $1", [getCalendarDay(from, oldZone)]);
  await query(
    em,
    `update activity_progress set time_zone = $1, counted_until = coalesce($2::timestamptz, counted_until),
            settled_until = coalesce($2::timestamptz, settled_until)`,
    [ZONE, from],
  );
  return 1;
}

/** Returns the start of the first monthly partition with events that wasn't restored from the archive, or the oldest event in the default partition if it is earlier. */
async function findOldestEvent(em: EntityManager): Promise<Date | null> {
  const months = await query<{ name: string }>(
    em,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'licence_events'::regclass and c.relname ~ '^licence_events_\\d{4}_\\d{2}$'
        and not exists (select from detached_event_months m where m.name = c.relname) order by 1`,
    [],
  );
  // The default partition contains few rows: events of months without a partition.
  const { at } = await queryRow<{ at: string | null }>(em, "select min(at) as at from licence_events_default", []);
  const found = at ? [new Date(at)] : [];
  for (const { name } of months) {
    if ((await query(em, `select from ${name} limit 1`, [])).length === 0) continue;
    found.push(new Date(`${name.slice(-7).replace("_", "-")}-01T00:00:00Z`));
    break;
  }
  return found.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** Resets the counts from a day on, after the clock was set back. */
async function resetToDay(em: EntityManager, day: string): Promise<number> {
  await query(em, "delete from daily_activity where day >= $1", [day]);
  await query(em, "update activity_progress set counted_until = $1, settled_until = least(settled_until, $1)", [
    getStartOfDay(day),
  ]);
  return 1;
}

async function countNextBatch(
  em: EntityManager,
  { countedUntil: from, settledUntil }: Progress,
  { target, now, maxEvents }: { target: Date; now: Date; maxEvents: number },
): Promise<number> {
  if (from >= target) return 0;
  const until = await findBatchEnd(em, from, target, maxEvents);
  await countEvents(em, from, until);
  await recordVersions(em, from, until);
  // Days that were old enough when they were first counted don't need a recount.
  const settled = settledUntil.getTime() === from.getTime() ? earlier(until, startOfUnsettledDays(now)) : settledUntil;
  await query(em, "update activity_progress set counted_until = $1, settled_until = greatest(settled_until, $2)", [
    until,
    settled,
  ]);
  return 1;
}

/**
 * Recounts a past day and replaces its counts. A day with many events is recounted hour by hour, so that each statement
 * stays as small as in the first count. Keeps the old counts if the recount times out.
 */
async function recountDay(
  { log }: Context,
  em: EntityManager,
  { settledUntil, countedUntil }: Progress,
  { now, maxEvents }: { now: Date; maxEvents: number },
): Promise<number> {
  if (settledUntil >= earlier(startOfUnsettledDays(now), startOfEventDay(countedUntil))) return 0;
  const day = getCalendarDay(settledUntil);
  const until = startOfNextDay(settledUntil);
  await query(em, "savepoint before_recount", []);
  try {
    await query(em, "delete from daily_activity where day = $1", [day]);
    const start = getStartOfDay(day);
    const isSmall = (await findBatchEnd(em, start, until, maxEvents)) >= until;
    for (let from = start; from < until; ) {
      const next = isSmall ? until : earlier(addMilliseconds(from, HOUR), until);
      await countEvents(em, from, next);
      await recordVersions(em, from, next);
      from = next;
    }
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    log.warn({ err: error, day }, "Recounting a day of licence events timed out");
    await query(em, "rollback to savepoint before_recount", []);
  }
  await query(em, "update activity_progress set settled_until = $1", [until]);
  return 1;
}

/** Returns the start of the first day that ended less than {@link RECOUNT_DELAY_MS} ago. */
const startOfUnsettledDays = (now: Date) => startOfEventDay(addMilliseconds(now, -RECOUNT_DELAY_MS));

const earlier = (one: Date, other: Date) => (one < other ? one : other);

async function findBatchEnd(em: EntityManager, from: Date, target: Date, maxEvents: number): Promise<Date> {
  // Finish a partial day first, so that later batches start at the beginning of a day.
  const widest = startOfEventDay(from) < from ? earlier(startOfNextDay(from), target) : target;
  for (const span of SPANS_MS) {
    const until = earlier(addMilliseconds(from, span), widest);
    if (span === SPANS_MS.at(-1)) return until;
    const { count } = await queryRow<{ count: number }>(
      em,
      `select count(*)::int as count from
         (select from licence_events where at >= $1::timestamptz and at < $2::timestamptz limit $3::int + 1) examined`,
      [from, until, maxEvents],
    );
    if (count <= maxEvents) return until;
  }
  return widest;
}

async function countEvents(em: EntityManager, from: Date, until: Date): Promise<void> {
  await query(
    em,
    `insert into daily_activity as d (day, kind, result_code, count)
     select (at at time zone $3)::date, kind, result_code, sum(count)
       from licence_events where at >= $1::timestamptz and at < $2::timestamptz group by 1, 2, 3
     on conflict (day, kind, result_code) do update set count = d.count + excluded.count`,
    [from, until, ZONE],
  );
}

async function recordVersions(em: EntityManager, from: Date, until: Date): Promise<void> {
  await query(
    em,
    `insert into device_versions as v (device_id, version, seen_on)
     select distinct on (device_id) device_id, add_in_version, (at at time zone $3)::date
       from licence_events
      where at >= $1::timestamptz and at < $2::timestamptz and device_id is not null and add_in_version is not null
      order by device_id, at desc, id desc
     on conflict (device_id) do update set version = excluded.version, seen_on = excluded.seen_on
      where excluded.seen_on >= v.seen_on and (excluded.version, excluded.seen_on) is distinct from (v.version, v.seen_on)`,
    [from, until, ZONE],
  );
}

const startOfHour = (moment: Date) => new Date(Math.floor(moment.getTime() / HOUR) * HOUR);

/** Returns the start of the day that contains a time. */
const startOfEventDay = (moment: Date, timeZone: string = ZONE) =>
  getStartOfDay(getCalendarDay(moment, timeZone), timeZone);

/** Returns the start of the day after a moment. */
const startOfNextDay = (moment: Date) => getStartOfDay(addDays(getCalendarDay(moment), 1));
