import { beforeEach, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { dayOf, startOfDay } from "#schema/days.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { activityCountedUntil, countActivity } from "#api/staff/dashboard/count-activity.ts";
import { periodOf } from "#api/staff/dashboard/dashboard-period.ts";
import { activityFigures } from "#api/staff/dashboard/read-activity.ts";
import { after, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;

beforeEach(async () => {
  app.clock.setOffset(0);
  await pool.query("truncate licence_events, daily_activity, activity_progress, device_versions");
});

const count = () => runUntilDone(app.services, countActivity);
const validations = async (days = 90) =>
  (await activityFigures(app.context(), periodOf(app.clock.now(), days))).validations.value;

async function validated(at: Date, changes: Partial<LicenceEvent> = {}): Promise<LicenceEvent> {
  const em = app.services.orm.em.fork();
  const event = em.create(LicenceEvent, { at, lastAt: at, kind: "validate", resultCode: 1, ...changes });
  await em.flush();
  return event;
}

const added = async () =>
  (await pool.query<{ n: number }>("select coalesce(sum(count), 0)::int as n from daily_activity")).rows[0]?.n;

test("before anything is added up the last hours are counted, and the page can say that more may follow", async () => {
  await validated(after(app.clock.now(), -HOUR));
  await validated(after(app.clock.now(), -10 * DAY));
  const { validations: found, behindSince } = await activityFigures(app.context(), periodOf(app.clock.now(), 30));
  expect(found.value).toBe(1);
  expect(behindSince).not.toBeNull();
  await count();
  expect(await validations()).toBe(2);
});

test("what happened is added up from the oldest month on, and each event is in the figures once", async () => {
  const now = app.clock.now();
  for (const days of [80, 30, 2, 1.5, 0.9, 0.2]) await validated(after(now, -days * DAY), { count: 3 });
  await validated(after(now, -MINUTE), { count: 2 });
  await count();
  expect(await validations()).toBe(20);
  expect(await added()).toBe(18);
  await count();
  expect(await added()).toBe(18);
});

test("an event whose count still grows is left to be counted where it lies", async () => {
  const event = await validated(after(app.clock.now(), -70 * MINUTE));
  await count();
  await pool.query("update licence_events set count = count + 5 where id = $1", [event.id]);
  expect(await validations()).toBe(6);
  app.clock.setOffset(3 * HOUR);
  await count();
  expect([await validations(), await added()]).toEqual([6, 6]);
});

test("what arrives late on a day is found when the day is counted once more", async () => {
  const yesterday = after(app.clock.now(), -DAY);
  await validated(yesterday);
  await count();
  await validated(after(yesterday, -MINUTE));
  expect(await validations()).toBe(1);
  app.clock.setOffset(3 * DAY);
  await count();
  expect([await validations(), await added()]).toEqual([2, 2]);
});

test("hour by hour over days ends in the same sums as all at once", async () => {
  const begin = app.clock.now();
  await validated(after(begin, -3 * DAY));
  await count();
  for (let hours = 5; hours < 100; hours += 5) {
    app.clock.setOffset(hours * HOUR);
    await validated(app.clock.now(), { count: hours });
    await count();
  }
  const sum = Array.from({ length: 19 }, (_, n) => 5 + n * 5).reduce((total, one) => total + one, 1);
  expect(await validations()).toBe(sum);
  const [kept] = (await pool.query("select counted_until as until from activity_progress")).rows;
  await pool.query("truncate daily_activity, activity_progress");
  await count();
  expect(await validations()).toBe(sum);
  expect((await pool.query("select counted_until as until from activity_progress")).rows[0]).toEqual(kept);
});

test("many processes that add up at the same time count each event once", async () => {
  const now = app.clock.now();
  for (let days = 0; days < 20; days++) await validated(after(now, -days * DAY - 3 * HOUR));
  await Promise.all(Array.from({ length: 6 }, () => count()));
  await count();
  expect([await validations(), await added()]).toEqual([20, 20]);
});

test("a dashboard that is read while parts are added up never sees an event twice or not at all", async () => {
  const now = app.clock.now();
  for (let hours = 0; hours < 5; hours++) await validated(after(now, -hours * HOUR - 10 * MINUTE));
  await pool.query(
    "insert into activity_progress (id, counted_until, settled_until, time_zone) values (1, $1, $1, $2)",
    [after(now, -5.5 * HOUR), brand.timeZone],
  );
  const seen = new Set<number>();
  let isDone = false;
  const reading = (async () => {
    while (!isDone) seen.add(await validations());
  })();
  for (let round = 0; round < 10; round++) {
    await pool.query(
      `begin; delete from daily_activity;
       update activity_progress set counted_until = '${after(now, -5.5 * HOUR).toISOString()}'; commit`,
    );
    await count();
  }
  isDone = true;
  await reading;
  expect([...seen]).toEqual([5]);
});

test("a clock that is set back has the days counted again when they come", async () => {
  app.clock.setOffset(40 * DAY);
  await validated(after(app.clock.now(), -2 * DAY));
  await count();
  app.clock.setOffset(0);
  await validated(after(app.clock.now(), -2 * HOUR));
  await count();
  expect((await activityCountedUntil(app.services))?.getTime()).toBeLessThan(app.clock.now().getTime());
  expect(await validations()).toBe(1);
  app.clock.setOffset(40 * DAY);
  await count();
  expect([await validations(), await added()]).toEqual([2, 2]);
});

test("many events are added up in parts of a day, and a year without any in one", async () => {
  const now = app.clock.now();
  await pool.query(
    `insert into licence_events (at, last_at, kind, result_code)
     select $1::timestamptz - n * interval '0.5 seconds', $1, 'validate', 1 from generate_series(1, 260000) n`,
    [after(now, -3 * HOUR)],
  );
  let parts = 0;
  while ((await countActivity.run(app.context())) > 0) parts++;
  expect(await validations()).toBe(260_000);
  expect(parts).toBeGreaterThan(2);
  app.clock.setOffset(700 * DAY);
  let later = 0;
  while ((await countActivity.run(app.context())) > 0) later++;
  expect(later).toBeLessThan(12);
}, 60_000);

test("a busy day that was over for long is counted once, though it takes several parts", async () => {
  const busy = startOfDay(dayOf(after(app.clock.now(), -10 * DAY)));
  // In pieces that each stay within the time of a statement, on a busy machine too.
  for (let from = 0; from < 210_000; from += 30_000)
    await pool.query(
      `insert into licence_events (at, last_at, kind, result_code)
       select $1::timestamptz + n * interval '0.4 seconds', $1, 'validate', 1 from generate_series($2::int, $2::int + 29999) n`,
      [busy, from],
    );
  const settled = async () =>
    (await pool.query<{ at: Date }>("select settled_until as at from activity_progress")).rows[0]?.at;
  let parts = 0;
  while ((await countActivity.run(app.context())) > 0) {
    parts++;
    await pool.query("delete from licence_events where at < (select counted_until from activity_progress)");
  }
  expect(parts).toBeGreaterThan(3);
  // Counted once more, nothing would be left of it.
  expect(await added()).toBe(210_000);
  expect(new Date((await settled()) ?? 0).getTime()).toBe(startOfDay(dayOf(after(app.clock.now(), -DAY))).getTime());
}, 60_000);

test("a day that takes too long to be counted once more keeps what it has, and what follows is counted", async () => {
  const yesterday = after(app.clock.now(), -DAY);
  await validated(yesterday);
  await count();
  await validated(after(yesterday, 2 * DAY));
  app.clock.setOffset(4 * DAY);
  // Reading it again waits for ever; adding up what is new does not read the day's rows.
  await pool.query(
    `create function slow() returns trigger language plpgsql as
     $$ begin raise exception 'time is up' using errcode = '57014'; end $$;
     create trigger slow before delete on daily_activity for each row execute function slow()`,
  );
  await count();
  await pool.query("drop trigger slow on daily_activity; drop function slow");
  expect([await validations(), await added()]).toEqual([2, 2]);
}, 30_000);

test("a device has the version with which it asked last", async () => {
  const device = { deviceId: "00000000-0000-4000-8000-000000000001" };
  const now = app.clock.now();
  await validated(after(now, -10 * DAY), { ...device, addInVersion: "7.0.0" });
  await validated(after(now, -5 * DAY), { ...device, addInVersion: "7.2.0" });
  await validated(after(now, -5 * DAY - HOUR), { ...device, addInVersion: "7.1.0" });
  await count();
  const { rows } = await pool.query("select version, seen_on::text as on from device_versions");
  expect(rows).toEqual([
    {
      version: "7.2.0",
      on: dayOf(after(now, -5 * DAY)),
    },
  ]);
});

const moveTo = (iso: string) => {
  app.clock.setOffset(0);
  app.clock.setOffset(Date.parse(iso) - app.clock.now().getTime());
};
const validationsOn = async (day: string) =>
  (await activityFigures(app.context(), periodOf(app.clock.now(), 30))).days.find(({ date }) => date === day)
    ?.validations;

test("counts an event on the vendor's day, before and after it is added up", async () => {
  await validated(new Date("2026-11-19T16:32:00Z"));
  moveTo("2026-11-19T16:40:00Z");
  expect([await validationsOn("2026-11-19"), await validationsOn("2026-11-20")]).toEqual([0, 1]);
  moveTo("2026-11-25T00:00:00Z");
  await count();
  expect(await added()).toBe(1);
  expect([await validationsOn("2026-11-19"), await validationsOn("2026-11-20")]).toEqual([0, 1]);
});

test("moves days that were added up in UTC to the vendor's days, and keeps those whose events are gone", async () => {
  moveTo("2026-11-25T00:00:00Z");
  await validated(new Date("2026-11-19T16:32:00Z"));
  await pool.query(
    `insert into daily_activity (day, kind, result_code, count)
     values ('2026-10-30', 'validate', 1, 5), ('2026-11-19', 'validate', 1, 1)`,
  );
  await pool.query(
    `insert into activity_progress (id, counted_until, settled_until, time_zone)
     values (1, '2026-11-24 22:00Z', '2026-11-23 00:00Z', 'UTC')`,
  );
  await count();
  expect([await validationsOn("2026-11-19"), await validationsOn("2026-11-20")]).toEqual([0, 1]);
  expect(await validationsOn("2026-10-30")).toBe(5);
  expect(await added()).toBe(6);
  await count();
  expect(await added()).toBe(6);
});
