import { brand } from "#schema/brand.ts";
import { addDays, dayOf, startOfDay } from "#schema/days.ts";
import { after, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import { isTimeUp } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { RUN_MS } from "#api/licensing/licences/note-licence-event.ts";

/** Key of the advisory lock that lets one process at a time add up. */
const ACTIVITY_LOCK = 7_426_027;

/** An event's count still grows for the length of a run, and its transaction takes a while. */
const SETTLES_AFTER_MS = RUN_MS + 15 * MINUTE;

/** A day is counted once more when it is over for so long: what a slow or wrong clock brought late is in it then. */
const RECOUNTED_AFTER_MS = DAY;

/** One part adds up the widest of these spans that has no more events than that, the last one in any case. */
const SPANS_MS = [366 * DAY, 31 * DAY, DAY, HOUR];
const MOST_AT_ONCE = 200_000;

/** Days are those of the vendor's time zone. */
const ZONE: string = brand.timeZone;

interface Progress {
  readonly countedUntil: Date;
  readonly settledUntil: Date;
  readonly timeZone: string;
}

/**
 * Adds the licence events up by day, kind and answer, and notes each device's version, so that the dashboard reads a few
 * rows a day however many events there were. Each event is counted once: one part moves `countedUntil` on and adds
 * what lies between in one transaction, and one process at a time does. What lies after it the dashboard counts itself.
 * Everything there was before is counted in the same parts, from the oldest on.
 */
export const countActivity = destructiveWork({
  name: "count-activity",
  everySeconds: 300,
  async run(context, now) {
    return inTransaction(context, async (em) => {
      const [lock] = await query<{ taken: boolean }>(em, "select pg_try_advisory_xact_lock($1) as taken", [
        ACTIVITY_LOCK,
      ]);
      if (!lock?.taken) return 0;
      await query(em, "set local statement_timeout = '60s'", []);
      const progress = (await progressNow(em)) ?? (await begin(em, now));
      if (progress.timeZone !== ZONE) return startOver(em, now);
      const target = hourOf(after(now, -SETTLES_AFTER_MS));
      if (progress.countedUntil > now) return turnBack(em, addDays(dayOf(target), -1));
      return (await recount(context, em, progress, now)) || countOn(em, progress, target, now);
    });
  },
});

/** How far the events are added up; null before the first part. */
export async function activityCountedUntil({ pool }: Pick<Context, "pool">): Promise<Date | null> {
  const { rows } = await pool.query<{ ms: number }>(
    "select (extract(epoch from counted_until) * 1000)::float8 as ms from activity_progress",
  );
  return rows[0] ? new Date(rows[0].ms) : null;
}

async function progressNow(em: EntityManager): Promise<Progress | null> {
  const [row] = await query<{ counted: string; settled: string; zone: string }>(
    em,
    "select counted_until as counted, settled_until as settled, time_zone as zone from activity_progress",
    [],
  );
  return row ? { countedUntil: new Date(row.counted), settledUntil: new Date(row.settled), timeZone: row.zone } : null;
}

/** From the month of the oldest event on; events are never asked for their least time, which no index knows. */
async function begin(em: EntityManager, now: Date): Promise<Progress> {
  const oldest = await oldestEvent(em);
  const from = beginningOf(oldest && oldest < now ? oldest : after(now, -DAY));
  await query(em, "delete from daily_activity", []);
  await query(
    em,
    "insert into activity_progress (id, counted_until, settled_until, time_zone) values (1, $1, $1, $2)",
    [from, ZONE],
  );
  return { countedUntil: from, settledUntil: from, timeZone: ZONE };
}

/**
 * Has the events that are still there added up again by the days of the vendor's time zone, part by part as for a first
 * time. The days before the oldest of them stay as they were counted, because nothing is left to count them from.
 */
async function startOver(em: EntityManager, now: Date): Promise<number> {
  const oldest = await oldestEvent(em);
  const progress = await progressNow(em);
  // Up to here the days of the old zone hold every event, and from here on those of the new one do.
  const from = oldest && oldest < now ? beginningOf(oldest, progress?.timeZone) : null;
  if (from) await query(em, "delete from daily_activity where day >= $1", [dayOf(from, progress?.timeZone)]);
  await query(
    em,
    `update activity_progress set time_zone = $1, counted_until = coalesce($2::timestamptz, counted_until),
            settled_until = coalesce($2::timestamptz, settled_until)`,
    [ZONE, from],
  );
  return 1;
}

/** The beginning of the first month with events, or the first event that no month covers. */
async function oldestEvent(em: EntityManager): Promise<Date | null> {
  const months = await query<{ name: string }>(
    em,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'licence_events'::regclass and c.relname ~ '^licence_events_\\d{4}_\\d{2}$' order by 1`,
    [],
  );
  // Rows of months to come, and of the past until their month is made: few at most times.
  const [stray] = await query<{ at: string | null }>(em, "select min(at) as at from licence_events_default", []);
  const found = stray?.at ? [new Date(stray.at)] : [];
  for (const { name } of months) {
    if ((await query(em, `select from ${name} limit 1`, [])).length === 0) continue;
    found.push(new Date(`${name.slice(-7).replace("_", "-")}-01T00:00:00Z`));
    break;
  }
  return found.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** The clock was moved back: yesterday and what is yet to come is counted again. */
async function turnBack(em: EntityManager, day: string): Promise<number> {
  await query(em, "delete from daily_activity where day >= $1", [day]);
  await query(em, "update activity_progress set counted_until = $1, settled_until = least(settled_until, $1)", [
    startOfDay(day),
  ]);
  return 1;
}

async function countOn(em: EntityManager, progress: Progress, target: Date, now: Date): Promise<number> {
  const { countedUntil: from, settledUntil } = progress;
  if (from >= target) return 0;
  const until = await endOfPart(em, from, target);
  await addUp(em, from, until);
  await noteVersions(em, from, until);
  // What is long over when it is first counted needs no second look, be it a part of a day.
  const settled = settledUntil.getTime() === from.getTime() ? earlier(until, lastOver(now)) : settledUntil;
  await query(em, "update activity_progress set counted_until = $1, settled_until = greatest(settled_until, $2)", [
    until,
    settled,
  ]);
  return 1;
}

/**
 * Counts a day that is over for long once more, in place of what was counted while it passed: hour by hour, so that no
 * statement has more to do than when it was counted first. A day that takes too long all the same stays as it is.
 */
async function recount(
  { log }: Context,
  em: EntityManager,
  { settledUntil, countedUntil }: Progress,
  now: Date,
): Promise<number> {
  if (settledUntil >= earlier(lastOver(now), beginningOf(countedUntil))) return 0;
  const day = dayOf(settledUntil);
  const until = endOf(settledUntil);
  await query(em, "savepoint before_recount", []);
  try {
    await query(em, "delete from daily_activity where day = $1", [day]);
    for (let from = startOfDay(day); from < until; from = after(from, HOUR)) {
      const next = earlier(after(from, HOUR), until);
      await addUp(em, from, next);
      await noteVersions(em, from, next);
    }
  } catch (error) {
    if (!isTimeUp(error)) throw error;
    log.warn({ err: error, day }, "a day of licence events took too long to be counted once more");
    await query(em, "rollback to savepoint before_recount", []);
  }
  await query(em, "update activity_progress set settled_until = $1", [until]);
  return 1;
}

/** Days of before are over for {@link RECOUNTED_AFTER_MS}. */
const lastOver = (now: Date) => beginningOf(after(now, -RECOUNTED_AFTER_MS));

const earlier = (one: Date, other: Date) => (one < other ? one : other);

async function endOfPart(em: EntityManager, from: Date, target: Date): Promise<Date> {
  // What is left of a day first, so that whole days follow.
  const widest = beginningOf(from) < from ? earlier(endOf(from), target) : target;
  for (const span of SPANS_MS) {
    const until = earlier(after(from, span), widest);
    if (span === SPANS_MS.at(-1)) return until;
    const [found] = await query<{ count: number }>(
      em,
      `select count(*)::int as count from
         (select from licence_events where at >= $1::timestamptz and at < $2::timestamptz limit ${MOST_AT_ONCE + 1}) looked_at`,
      [from, until],
    );
    if ((found?.count ?? 0) <= MOST_AT_ONCE) return until;
  }
  return widest;
}

async function addUp(em: EntityManager, from: Date, until: Date): Promise<void> {
  await query(
    em,
    `insert into daily_activity as d (day, kind, result_code, count)
     select (at at time zone $3)::date, kind, result_code, sum(count)
       from licence_events where at >= $1::timestamptz and at < $2::timestamptz group by 1, 2, 3
     on conflict (day, kind, result_code) do update set count = d.count + excluded.count`,
    [from, until, ZONE],
  );
}

async function noteVersions(em: EntityManager, from: Date, until: Date): Promise<void> {
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

const hourOf = (moment: Date) => new Date(Math.floor(moment.getTime() / HOUR) * HOUR);

/** Returns the beginning of a moment's day. */
const beginningOf = (moment: Date, timeZone: string = ZONE) => startOfDay(dayOf(moment, timeZone), timeZone);

/** Returns the beginning of the day after a moment's day. */
const endOf = (moment: Date) => startOfDay(addDays(dayOf(moment), 1));
