import { beforeEach, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { createActivityCount, getActivityCountedUntil, countActivity } from "#api/staff/dashboard/count-activity.ts";
import { createPeriod } from "#api/staff/dashboard/dashboard-period.ts";
import { readActivityFigures } from "#api/staff/dashboard/read-activity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;

beforeEach(async () => {
  app.clock.setOffset(0);
  await pool.query("truncate licence_events, daily_activity, activity_progress, device_versions");
});

/** The product's batches are a hundred times as large. */
const countInSmallBatches = createActivityCount(2_000);
const count = () => runSweep(app.services, countActivity);
const getValidations = async (days = 90) =>
  (await readActivityFigures(app.context(), createPeriod(app.clock.now(), days))).validations.value;

async function createValidation(at: Date, changes: Partial<LicenceEvent> = {}): Promise<LicenceEvent> {
  const em = app.services.orm.em.fork();
  const event = em.create(LicenceEvent, { at, lastAt: at, kind: "validate", resultCode: 1, ...changes });
  await em.flush();
  return event;
}

const getCountedSum = async () =>
  (await pool.query<{ n: number }>("select coalesce(sum(count), 0)::int as n from daily_activity")).rows[0]?.n;

test("covers only the last few hours until the first count has run, and reports that the figures are incomplete", async () => {
  await createValidation(addMilliseconds(app.clock.now(), -HOUR));
  await createValidation(addMilliseconds(app.clock.now(), -10 * DAY));
  const period = createPeriod(app.clock.now(), 30);
  const { validations: found, behindSince } = await readActivityFigures(app.context(), period);
  expect(found.value).toBe(1);
  expect(behindSince).not.toBeNull();
  await count();
  expect(await getValidations()).toBe(2);
});

test("counts events starting with the oldest month, each exactly once", async () => {
  const now = app.clock.now();
  for (const days of [80, 30, 2, 1.5, 0.9, 0.2])
    await createValidation(addMilliseconds(now, -days * DAY), { count: 3 });
  await createValidation(addMilliseconds(now, -MINUTE), { count: 2 });
  await count();
  expect([await getValidations(), await getCountedSum()]).toEqual([20, 18]);
  await count();
  expect(await getCountedSum()).toBe(18);
});

test("doesn't count an event while its own count may still grow", async () => {
  const event = await createValidation(addMilliseconds(app.clock.now(), -70 * MINUTE));
  await count();
  await pool.query("update licence_events set count = count + 5 where id = $1", [event.id]);
  expect(await getValidations()).toBe(6);
  app.clock.setOffset(3 * HOUR);
  await count();
  expect([await getValidations(), await getCountedSum()]).toEqual([6, 6]);
});

test("includes late events when a day is recounted", async () => {
  const yesterday = addMilliseconds(app.clock.now(), -DAY);
  await createValidation(yesterday);
  await count();
  await createValidation(addMilliseconds(yesterday, -MINUTE));
  expect(await getValidations()).toBe(1);
  app.clock.setOffset(3 * DAY);
  await count();
  expect([await getValidations(), await getCountedSum()]).toEqual([2, 2]);
});

test("gives the same totals when counting hourly as when counting everything in one go", async () => {
  await createValidation(addMilliseconds(app.clock.now(), -3 * DAY));
  await count();
  for (let hours = 5; hours < 100; hours += 5) {
    app.clock.setOffset(hours * HOUR);
    await createValidation(app.clock.now(), { count: hours });
    await count();
  }
  const sum = Array.from({ length: 19 }, (_, n) => 5 + n * 5).reduce((total, one) => total + one, 1);
  expect(await getValidations()).toBe(sum);
  const [kept] = (await pool.query("select counted_until as until from activity_progress")).rows;
  await pool.query("truncate daily_activity, activity_progress");
  await count();
  expect(await getValidations()).toBe(sum);
  expect((await pool.query("select counted_until as until from activity_progress")).rows[0]).toEqual(kept);
});

test("counts each event once with several concurrent processes", async () => {
  const now = app.clock.now();
  for (let days = 0; days < 20; days++) await createValidation(addMilliseconds(now, -days * DAY - 3 * HOUR));
  await Promise.all(Array.from({ length: 6 }, () => count()));
  await count();
  expect([await getValidations(), await getCountedSum()]).toEqual([20, 20]);
});

test("neither misses nor duplicates events when the dashboard is read during counting", async () => {
  const now = app.clock.now();
  for (let hours = 0; hours < 5; hours++) await createValidation(addMilliseconds(now, -hours * HOUR - 10 * MINUTE));
  const sql = "insert into activity_progress (id, counted_until, settled_until, time_zone) values (1, $1, $1, $2)";
  await pool.query(sql, [addMilliseconds(now, -5.5 * HOUR), brand.timeZone]);
  const seen = new Set<number>();
  let isDone = false;
  const reading = (async () => {
    while (!isDone) seen.add(await getValidations());
  })();
  for (let round = 0; round < 10; round++) {
    const statement = `begin; delete from daily_activity;
       update activity_progress set counted_until = '${addMilliseconds(now, -5.5 * HOUR).toISOString()}'; commit`;
    await pool.query(statement);
    await count();
  }
  isDone = true;
  await reading;
  expect([...seen]).toEqual([5]);
});

test("counts days again after the clock was set back", async () => {
  app.clock.setOffset(40 * DAY);
  await createValidation(addMilliseconds(app.clock.now(), -2 * DAY));
  await count();
  app.clock.setOffset(0);
  await createValidation(addMilliseconds(app.clock.now(), -2 * HOUR));
  await count();
  expect((await getActivityCountedUntil(app.services))?.getTime()).toBeLessThan(app.clock.now().getTime());
  expect(await getValidations()).toBe(1);
  app.clock.setOffset(40 * DAY);
  await count();
  expect([await getValidations(), await getCountedSum()]).toEqual([2, 2]);
});

test("splits a day with many events into batches, and counts a year without events in a single batch", async () => {
  // All on one day of the vendor, so that the number of batches doesn't depend on today's date or time.
  const day = getStartOfDay(getCalendarDay(addMilliseconds(app.clock.now(), -2 * DAY)));
  const sql = `insert into licence_events (at, last_at, kind, result_code)
     select at, at, 'validate', 1 from generate_series(1, 2600) n, lateral (select $1::timestamptz + n * interval '20 seconds') e(at)`;
  await pool.query(sql, [day]);
  let parts = 0;
  while ((await countInSmallBatches.run(app.context())) > 0) parts++;
  expect(await getValidations()).toBe(2_600);
  expect(parts).toBeGreaterThan(2);
  app.clock.setOffset(700 * DAY);
  let later = 0;
  while ((await countInSmallBatches.run(app.context())) > 0) later++;
  expect(later).toBeLessThan(12);
});

test("counts a busy past day only once, even in several batches", async () => {
  const busy = getStartOfDay(getCalendarDay(addMilliseconds(app.clock.now(), -10 * DAY)));
  const sql = `insert into licence_events (at, last_at, kind, result_code)
     select $1::timestamptz + n * interval '40 seconds', $1, 'validate', 1 from generate_series(0, 2099) n`;
  await pool.query(sql, [busy]);
  let parts = 0;
  while ((await countInSmallBatches.run(app.context())) > 0) {
    parts++;
    await pool.query("delete from licence_events where at < (select counted_until from activity_progress)");
  }
  expect(parts).toBeGreaterThan(3);
  // The events have been deleted, so a recount would have removed the counts.
  expect(await getCountedSum()).toBe(2_100);
  const { rows: settled } = await pool.query("select settled_until as at from activity_progress");
  const expected = getStartOfDay(getCalendarDay(addMilliseconds(app.clock.now(), -DAY))).getTime();
  expect(new Date(settled[0].at).getTime()).toBe(expected);
});

test("keeps the counts of a day whose recount times out, and continues with later days", async () => {
  const yesterday = addMilliseconds(app.clock.now(), -DAY);
  await createValidation(yesterday);
  await count();
  await createValidation(addMilliseconds(yesterday, 2 * DAY));
  app.clock.setOffset(4 * DAY);
  // The recount times out, but counting new events doesn't touch the rows of that day.
  const sql = `create function slow() returns trigger language plpgsql as
     $$ begin raise exception 'time is up' using errcode = '57014'; end $$;
     create trigger slow before delete on daily_activity for each row execute function slow()`;
  await pool.query(sql);
  await count();
  await pool.query("drop trigger slow on daily_activity; drop function slow");
  expect([await getValidations(), await getCountedSum()]).toEqual([2, 2]);
}, 30_000);

test("records the version of a device's last request", async () => {
  const device = { deviceId: "00000000-0000-4000-8000-000000000001" };
  const now = app.clock.now();
  await createValidation(addMilliseconds(now, -10 * DAY), { ...device, addInVersion: "7.0.0" });
  await createValidation(addMilliseconds(now, -5 * DAY), { ...device, addInVersion: "7.2.0" });
  await createValidation(addMilliseconds(now, -5 * DAY - HOUR), { ...device, addInVersion: "7.1.0" });
  await count();
  const { rows } = await pool.query("select version, seen_on::text as on from device_versions");
  expect(rows).toEqual([{ version: "7.2.0", on: getCalendarDay(addMilliseconds(now, -5 * DAY)) }]);
});

const moveTo = (iso: string) => {
  app.clock.setOffset(0);
  app.clock.setOffset(Date.parse(iso) - app.clock.now().getTime());
};
const getValidationsOn = async (day: string) =>
  (await readActivityFigures(app.context(), createPeriod(app.clock.now(), 30))).days.find(({ date }) => date === day)
    ?.validations;

test("counts an event on the day in the vendor's time zone, before and after counting", async () => {
  await createValidation(new Date("2026-11-19T16:32:00Z"));
  moveTo("2026-11-19T16:40:00Z");
  expect([await getValidationsOn("2026-11-19"), await getValidationsOn("2026-11-20")]).toEqual([0, 1]);
  moveTo("2026-11-25T00:00:00Z");
  await count();
  expect(await getCountedSum()).toBe(1);
  expect([await getValidationsOn("2026-11-19"), await getValidationsOn("2026-11-20")]).toEqual([0, 1]);
});

test("recounts UTC days in the vendor's time zone, and keeps days whose events no longer exist", async () => {
  moveTo("2026-11-25T00:00:00Z");
  await createValidation(new Date("2026-11-19T16:32:00Z"));
  const sql = `insert into daily_activity (day, kind, result_code, count)
     values ('2026-10-30', 'validate', 1, 5), ('2026-11-19', 'validate', 1, 1)`;
  await pool.query(sql);
  const statement = `insert into activity_progress (id, counted_until, settled_until, time_zone)
     values (1, '2026-11-24 22:00Z', '2026-11-23 00:00Z', 'UTC')`;
  await pool.query(statement);
  await count();
  expect([await getValidationsOn("2026-11-19"), await getValidationsOn("2026-11-20")]).toEqual([0, 1]);
  expect([await getValidationsOn("2026-10-30"), await getCountedSum()]).toEqual([5, 6]);
  await count();
  expect(await getCountedSum()).toBe(6);
});
