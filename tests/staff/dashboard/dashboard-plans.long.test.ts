import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { dashboardLists } from "#schema/dashboard.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { createPeriod } from "#api/staff/dashboard/dashboard-period.ts";
import { listDashboard } from "#api/staff/dashboard/dashboard-lists.ts";
import { readActivityFigures, readVersionFigures } from "#api/staff/dashboard/read-activity.ts";
import { readExpiringFigures, readTrialFigures } from "#api/staff/dashboard/read-trials.ts";
import { readSubscriptionFigures } from "#api/staff/dashboard/read-subscriptions.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { findSequentialScans } from "#tests/support/sequential-scans.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { listValues } from "#schema/closed-list.ts";

const app = await startTestApp();
const { pool } = app.services;

// A separate client, without the application's statement timeout.
const seeding = new pg.Client({ ...app.database, database: app.database.dbName });

/** Rows per large table, most of them old. Enough that PostgreSQL prefers indexes to sequential scans. */
const ROW_COUNT = 20_000;

beforeAll(async () => {
  const licence = await createLicence(app, await createUser(app));
  await createDevice(app, licence);
  await createSubscription(app, licence, { status: "cancelled", endedAt: app.clock.now() });
  await seeding.connect();
  const longAgo = `now() - (30 + n % 2000) * interval '1 day'`;
  await copyRow(seeding, "users", {
    times: ROW_COUNT / 10,
    differing: `'confirmation_handle', gen_random_uuid(), 'email', n || '@example.com', 'sign_in_email', n || '@example.com'`,
  });
  const someUser = `(array(select id from users order by id limit 2000))[1 + n % 2000]`;
  await copyRow(seeding, "licences", {
    times: ROW_COUNT,
    differing: `'licence_code', 'c' || n, 'support_code', 's' || n, 'user_id', ${someUser}, 'created_at', ${longAgo},
      'expires_at', ${longAgo} + interval '40 days', 'product_level', case when n % 4 = 0 then 3 else 2 end`,
  });
  await copyRow(seeding, "devices", {
    times: ROW_COUNT,
    differing: `'fingerprint', 'f' || n, 'token_hash', 't' || n, 'licence_id', (array(select id from licences limit 500))[1 + n % 500]`,
  });
  await copyRow(seeding, "subscriptions", {
    times: ROW_COUNT,
    differing: `'user_id', ${someUser}, 'started_at', ${longAgo} - interval '90 days', 'ended_at', ${longAgo}`,
  });
  await seeding.query(
    `insert into subscription_cancellations (id, subscription_id, cancelled_at, withdrawn_at)
     select gen_random_uuid(), id, ended_at, ended_at from subscriptions where ended_at is not null`,
  );
  await seeding.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id, device_id, add_in_version)
     select now() - n * interval '3 minutes', now(), 'validate', case when n % 500 = 0 then 20 else 1 end, d.licence_id, d.id, '7.' || n % 3
       from (select id, licence_id, row_number() over () as n from (select * from devices limit 500) d, generate_series(1, 120)) d`,
  );
  // Devices from several years, most of them no longer in use.
  await seeding.query(
    `insert into device_versions select gen_random_uuid(), '7.0', current_date - 31 - (n % 900) from generate_series(1, ${ROW_COUNT}) n`,
  );
  await runSweep(app.services, countActivity);
  // Counts from earlier years.
  await seeding.query(
    `insert into daily_activity select current_date - 800 - n / 10, 'kind' || n % 10, 1, n from generate_series(1, ${ROW_COUNT}) n`,
  );
  await seeding.query("vacuum analyze");
  await seeding.end();
}, 120_000);

/** Tables with only a few rows, the table of the test clock, and users, which are looked up by ID. */
const smallTables = ["settings", "activity_progress", "plans", "plan_prices", "software_channels", "users"];

const sections = {
  trials: readTrialFigures,
  subscriptions: readSubscriptionFigures,
  activity: readActivityFigures,
  versions: readVersionFigures,
  expiring: readExpiringFigures,
};

test.each(Object.entries(sections))("reads the figures for %s with one statement and indexes", async (_name, read) => {
  for (const days of [30, 90]) {
    const context = app.context();
    const found = await findSequentialScans(pool, smallTables, () =>
      read(context, createPeriod(app.clock.now(), days)),
    );
    expect(found).toEqual({ scans: [], statements: 1 });
  }
});

test.each(listValues(dashboardLists))("reads the list %s with indexes", async (list) => {
  const { scans } = await findSequentialScans(pool, smallTables, () =>
    listDashboard(app.context(), { list, days: 30, offset: 0, limit: 20 }),
  );
  expect(scans).toEqual([]);
});

test("reads activity from the daily counts and only the latest events", async () => {
  const { rows } = await pool.query<{ n: number }>(
    "select count(*)::int as n from daily_activity where day > current_date - 700",
  );
  expect(rows[0]?.n).toBeLessThan(400);
  const { validations, blocked } = await readActivityFigures(app.context(), createPeriod(app.clock.now(), 365));
  const events = 500 * 120;
  expect([validations.value + blocked.value, blocked.value]).toEqual([events, events / 500]);
});
