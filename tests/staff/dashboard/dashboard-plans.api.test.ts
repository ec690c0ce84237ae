import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { dashboardLists } from "#schema/rules/dashboard.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { periodOf } from "#api/staff/dashboard/dashboard-period.ts";
import { listDashboard } from "#api/staff/dashboard/list-dashboard.ts";
import { activityFigures } from "#api/staff/dashboard/read-activity.ts";
import { expiringFigures } from "#api/staff/dashboard/read-expiring.ts";
import { subscriptionFigures } from "#api/staff/dashboard/read-subscriptions.ts";
import { trialFigures } from "#api/staff/dashboard/read-trials.ts";
import { versionFigures } from "#api/staff/dashboard/read-versions.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;

// Without the time limits of the product.
const seeding = new pg.Client({ ...app.database, database: app.database.dbName });

/** So many rows of each big table, most of them of long ago: enough that PostgreSQL never prefers reading them all. */
const MANY = 20_000;

beforeAll(async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  await createDevice(app, licence);
  await createSubscription(app, licence, { status: "cancelled", endedAt: app.clock.now() });
  await seeding.connect();
  const longAgo = `now() - (30 + n % 2000) * interval '1 day'`;
  await copyRow(seeding, "users", {
    times: MANY / 10,
    differing: `'confirmation_handle', gen_random_uuid(), 'email', n || '@example.com', 'sign_in_email', n || '@example.com'`,
  });
  const someone = `(array(select id from users order by id limit 2000))[1 + n % 2000]`;
  await copyRow(seeding, "licences", {
    times: MANY,
    differing: `'licence_code', 'c' || n, 'support_code', 's' || n, 'user_id', ${someone}, 'created_at', ${longAgo},
      'expires_at', ${longAgo} + interval '40 days', 'product_level', case when n % 4 = 0 then 3 else 2 end`,
  });
  await copyRow(seeding, "devices", {
    times: MANY,
    differing: `'fingerprint', 'f' || n, 'token_hash', 't' || n, 'licence_id', (array(select id from licences limit 500))[1 + n % 500]`,
  });
  await copyRow(seeding, "subscriptions", {
    times: MANY,
    differing: `'user_id', ${someone}, 'started_at', ${longAgo} - interval '90 days', 'ended_at', ${longAgo}`,
  });
  await seeding.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id, device_id, add_in_version)
     select now() - n * interval '3 minutes', now(), 'validate', case when n % 500 = 0 then 20 else 1 end, d.licence_id, d.id, '7.' || n % 3
       from (select id, licence_id, row_number() over () as n from (select * from devices limit 500) d, generate_series(1, 120)) d`,
  );
  // The devices of years: most of them are not in use any more.
  await seeding.query(
    `insert into device_versions select gen_random_uuid(), '7.0', current_date - 31 - (n % 900) from generate_series(1, ${MANY}) n`,
  );
  await runUntilDone(app.services, countActivity);
  // Years before.
  await seeding.query(
    `insert into daily_activity select current_date - 800 - n / 10, 'kind' || n % 10, 1, n from generate_series(1, ${MANY}) n`,
  );
  await seeding.query("vacuum analyze");
  await seeding.end();
}, 120_000);

/** Tables of a row or two, the test clock's own, and users, whom the lists look up by their ids. */
const small = ["settings", "activity_progress", "plans", "plan_prices", "software_channels", "users"];

/** Tables that a statement reads from end to end, and how many statements there were. */
async function readWhole(work: () => Promise<unknown>): Promise<{ whole: string[]; statements: number }> {
  const asked: { text: string; values: unknown[] }[] = [];
  const original = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ rows: never[] }>;
  const spy = vi.spyOn(pool, "query").mockImplementation(((
    first: { text: string; values?: unknown[] } | string,
    values?: unknown[],
  ) => {
    asked.push(
      typeof first === "string" ? { text: first, values: values ?? [] } : { ...first, values: first.values ?? [] },
    );
    return original(first, values);
  }) as never);
  await work();
  spy.mockRestore();
  const whole: string[] = [];
  for (const { text, values } of asked) {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    for (const { "QUERY PLAN": line } of rows) {
      const table = /Seq Scan on (\w+)/.exec(line)?.[1];
      if (!table || small.includes(table)) continue;
      // Months without events are empty, and read for nothing.
      if (!/^licence_events_(?:\d|default)/.test(table) || !/rows=[01] /.test(line)) whole.push(line.trim());
    }
  }
  // The test clock asks for its setting whenever it likes.
  return { whole, statements: asked.filter(({ text }) => !/\bsettings\b/.test(text)).length };
}

const sections = {
  trials: trialFigures,
  subscriptions: subscriptionFigures,
  activity: activityFigures,
  versions: versionFigures,
  expiring: expiringFigures,
};

test.each(Object.entries(sections))(
  "the figures of %s are one statement, and it reads indexes",
  async (_name, read) => {
    for (const days of [30, 90]) {
      const context = app.context();
      const found = await readWhole(() => read(context, periodOf(app.clock.now(), days)));
      expect(found).toEqual({ whole: [], statements: 1 });
    }
  },
);

test.each(dashboardLists)("the list of %s reads indexes", async (list) => {
  const { whole } = await readWhole(() => listDashboard(app.context(), { list, days: 30, offset: 0, limit: 20 }));
  expect(whole).toEqual([]);
});

test("activity is read from the days that are added up, and the events of the last hours alone", async () => {
  const { rows } = await pool.query<{ n: number }>(
    "select count(*)::int as n from daily_activity where day > current_date - 700",
  );
  expect(rows[0]?.n).toBeLessThan(400);
  const { validations, blocked } = await activityFigures(app.context(), periodOf(app.clock.now(), 365));
  const events = 500 * 120;
  expect([validations.value + blocked.value, blocked.value]).toEqual([events, events / 500]);
});
