import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attentionLists } from "#schema/attention.ts";
import { listValues } from "#schema/closed-list.ts";
import { dashboardLists } from "#schema/dashboard.ts";
import { reportTypes } from "#schema/report.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { countAttention, listAttention } from "#api/staff/attention/attention.resolver.ts";
import { listAuditActors, listAuditEntries } from "#api/staff/audit-log/list-audit-entries.ts";
import { countActivity } from "#api/staff/dashboard/count-activity.ts";
import { listDashboard } from "#api/staff/dashboard/dashboard-lists.ts";
import { createPeriod } from "#api/staff/dashboard/dashboard-period.ts";
import { readActivityFigures, readVersionFigures } from "#api/staff/dashboard/read-activity.ts";
import { readSubscriptionFigures } from "#api/staff/dashboard/read-subscriptions.ts";
import { readExpiringFigures, readTrialFigures } from "#api/staff/dashboard/read-trials.ts";
import { buildPeriodReport, selectRowsInPeriod } from "#api/staff/reports/period-report.ts";
import { reportSettings } from "#api/staff/reports/report-client.ts";
import { reportSources } from "#api/staff/reports/report-sources.ts";
import { toVendorDaySql } from "#api/staff/reports/report.ts";
import { buildCsvStatement } from "#api/staff/reports/stream-report.ts";
import { findContacts, findDevices, findInvoices, findLicences, findUsers } from "#api/staff/search/lookups.ts";
import { parseSearch } from "#api/staff/search/parse-search.ts";
import { TimelineKind } from "#api/staff/timeline/timeline-sources.ts";
import { getTimeline } from "#api/staff/timeline/timeline.resolver.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { findSequentialScans } from "#tests/support/sequential-scans.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";

const app = await startTestApp();
const user = await createUser(app);
const admin = await createAdmin(app);
const licence = await createLicence(app, user);
const { pool } = app.services;
const daysAgo = (days: number) => addMilliseconds(app.clock.now(), -days * DAY);

// A separate client, without the application's statement timeout.
const client = new pg.Client({ ...app.database, database: app.database.dbName });

/** Rows per table, most of them old. Enough that PostgreSQL prefers indexes to sequential scans. */
const ROWS = 6_000;
const MANY = 20_000;

beforeAll(async () => {
  await createDevice(app, licence);
  await createContact(app, user);
  await createSubscription(app, licence, { status: "cancelled", endedAt: app.clock.now() });
  await createTaxInvoice(app, user);
  await client.connect();
  const multiply = (table: string, times: number, differing: string) => copyRow(client, table, { times, differing });
  const longAgo = `now() - (30 + n % 2000) * interval '1 day'`;
  const someTime = `now() - n % 400 * interval '1 day'`;
  const someUser = `(array(select id from users order by id limit 2000))[1 + n % 2000]`;
  const someLicence = `(array(select id from licences order by id limit 500))[1 + n % 500]`;
  for (const [table, times, differing] of [
    [
      "users",
      ROWS,
      `'confirmation_handle', gen_random_uuid(), 'email', 'person' || n || '@example.com',
       'sign_in_email', 'person' || n || '@example.com', 'registered_at', ${someTime}`,
    ],
    [
      "licences",
      MANY,
      `'licence_code', 'code' || n, 'support_code', 'S-' || n, 'user_id', ${someUser}, 'created_at', ${longAgo},
       'expires_at', ${longAgo} + interval '40 days', 'product_level', case when n % 4 = 0 then 3 else 2 end`,
    ],
    [
      "devices",
      MANY,
      `'machine_name', 'PC-' || n, 'fingerprint', 'f' || n, 'token_hash', 't' || n, 'licence_id', ${someLicence}`,
    ],
    [
      "contacts",
      ROWS,
      `'email', 'contact' || n || '@example.com', 'last_name', 'Name' || n, 'user_id', ${someUser}, 'added_at', ${someTime}`,
    ],
    [
      "subscriptions",
      MANY,
      `'user_id', ${someUser}, 'licence_id', ${someLicence}, 'started_at', ${longAgo} - interval '90 days',
       'ended_at', ${longAgo}`,
    ],
    ["tax_invoices", ROWS, `'number', 'N' || n, 'user_id', ${someUser}, 'issued_at', ${someTime}`],
  ] as const)
    await multiply(table, times, differing);
  const series = `generate_series(1, ${ROWS}) n`;
  for (const statement of [
    `insert into subscription_cancellations (id, subscription_id, cancelled_at, withdrawn_at)
     select gen_random_uuid(), id, ended_at, ended_at from subscriptions`,
    `insert into subscription_pauses (id, subscription_id, paused_at, until, ended_at)
     select gen_random_uuid(), id, now(), now(), now() from subscriptions`,
    `insert into payment_attempts (id, user_id, subscription_id, provider_charge_id, provider_invoice_id, at, number, amount_cents, reason)
     select gen_random_uuid(), user_id, id, 'ch_' || id, 'in_' || id, started_at, 1, 16495, 'Insufficient funds' from subscriptions`,
    `insert into licence_events (at, last_at, kind, result_code, licence_id, device_id, add_in_version)
     select now() - n * interval '3 minutes', now(), 'validate', case when n % 500 = 0 then 20 else 1 end, d.licence_id, d.id, '7.' || n % 3
       from (select id, licence_id, row_number() over () as n from (select * from devices limit 500) d, generate_series(1, 120)) d`,
    // Devices from several years, most of them no longer in use.
    `insert into device_versions
     select gen_random_uuid(), '7.0', current_date - 31 - (n % 900) from generate_series(1, ${MANY}) n`,
    `insert into sessions (id, user_id, client_id, created_at, last_used_at, expires_at)
     select gen_random_uuid(), ${someUser}, 'portal', now(), now(), now() from ${series}`,
    `insert into comments select gen_random_uuid(), ${someUser}, 'Called', '${admin.id}', 'Root', ${someTime} from ${series}`,
    `insert into audit_entries (id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, ip, request_id)
     select gen_random_uuid(), now() - n * interval '1 minute', '${admin.id}', 'Root', 'update-user', 'user', n::text, 'Person ' || n,
            ${someUser}, '', '' from ${series}`,
    `insert into deactivations (id, user_id, device_id, at, "by", reason)
     select gen_random_uuid(), ${someUser}, id, ${someTime}, 'admin', '' from (select id, row_number() over () as n from devices) d`,
    `insert into blocked_machines (id, user_id, machine_name, compared_name, blocked_at)
     select gen_random_uuid(), ${someUser}, 'PC' || n, 'pc' || n, ${someTime} from ${series}`,
  ])
    await client.query(statement);
  await runSweep(app.services, countActivity);
  // Counts from earlier years.
  await client.query(
    `insert into daily_activity select current_date - 800 - n / 10, 'kind' || n % 10, 1, n from generate_series(1, ${MANY}) n`,
  );
  await client.query("vacuum analyze");
  // Only its owner may read the statistics of the audit log's table.
  await openOwnerPool(app.database).query("analyze");
}, 120_000);

afterAll(() => client.end());

/** Tables with only a few rows, and the table of the test clock. */
const smallTables = ["leak_measurements", "subscription_changes", "settings"];
/** Those of the dashboard, which reads users only by ID. */
const smallHere = [
  "settings",
  "activity_progress",
  "plans",
  "plan_prices",
  "software_channels",
  "subscription_actions",
  "users",
];

const findScans = async (work: () => Promise<unknown>) => (await findSequentialScans(pool, smallTables, work)).scans;

const parseText = (text: string) => {
  const read = parseSearch(text);
  if (!read) throw new Error("too short");
  return read;
};

test.each([
  ["a licence code", () => findLicences(app.context(), parseText(licence.licenceCode))],
  ["a support code", () => findLicences(app.context(), parseText(licence.supportCode))],
  ["an email", () => findUsers(app.context(), parseText("person17@"), 8)],
  ["an ABN", () => findUsers(app.context(), parseText("51 824 753 556"), 8)],
  ["a machine name", () => findDevices(app.context(), parseText("pc-1"), 8)],
  ["a contact", () => findContacts(app.context(), parseText("name17"), 8)],
  ["an invoice number", () => findInvoices(app.context(), parseText("A-100001"))],
  ["what needs attention", () => countAttention(app.context())],
  ["the actors of the audit log", () => listAuditActors(app.context())],
])("searches for %s with an index", async (_name, work) => {
  expect(await findScans(work)).toEqual([]);
});

test.each(listValues(attentionLists))("reads the list %s with an index", async (list) => {
  expect(await findScans(() => listAttention(app.context(), { list, offset: 0, limit: 10 }))).toEqual([]);
});

test.each([
  ["newest first", {}],
  ["for one admin", { actorId: admin.id }],
  ["by search text", { search: "person 17" }],
])("reads the audit log %s with an index", async (_name, filter) => {
  expect(await findScans(() => listAuditEntries(app.context(), { filter, first: 20 }))).toEqual([]);
});

const timeline = [["all kinds", null], ...Object.values(TimelineKind).map((kind) => [kind, [kind]] as const)] as const;
test.each(timeline)("reads the timeline of %s with indexes, from the start and from a cursor", async (_name, kinds) => {
  const after = Buffer.from(`${Date.now() * 1_000}.event:00000000000000000001`).toString("base64url");
  for (const cursor of [null, after]) {
    const work = () => getTimeline(app.context(), user.id, { first: 30, after: cursor, kinds });
    expect(await findScans(work)).toEqual([]);
  }
});

test.each(
  Object.entries({
    readTrialFigures,
    readSubscriptionFigures,
    readActivityFigures,
    readVersionFigures,
    readExpiringFigures,
  }),
)("%s reads the figures of the dashboard with one statement and indexes", async (_name, read) => {
  for (const days of [30, 90]) {
    const work = () => read(app.context(), createPeriod(app.clock.now(), days));
    expect(await findSequentialScans(pool, smallHere, work)).toEqual({ scans: [], statements: 1 });
  }
});

test.each(listValues(dashboardLists))("reads the dashboard's list %s with indexes", async (list) => {
  const work = () => listDashboard(app.context(), { list, days: 30, offset: 0, limit: 20 });
  expect((await findSequentialScans(pool, smallHere, work)).scans).toEqual([]);
});

test("reads activity from the daily counts and only the latest events", async () => {
  const recent = "select count(*)::int as n from daily_activity where day > current_date - 700";
  expect((await pool.query<{ n: number }>(recent)).rows[0]?.n).toBeLessThan(400);
  const { validations, blocked } = await readActivityFigures(app.context(), createPeriod(app.clock.now(), 365));
  const events = 500 * 120;
  expect([validations.value + blocked.value, blocked.value]).toEqual([events, events / 500]);
});

async function explain(statement: string): Promise<string> {
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${statement}`);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/** Returns the sequential scans of tables with more than a few rows. */
const findScansIn = (plan: string) =>
  [...plan.matchAll(/Seq Scan on (\w+).*rows=(\d+)/g)].filter(
    ([, table = "", rows]) =>
      !/plans|plan_prices|checkouts|promo_codes|promo_redemptions|pp\b|\bp\b/.test(table) &&
      // The events of a month that has just begun fill a few pages.
      Number(rows) > (table.startsWith("licence_events_") ? 1_000 : 1),
  );

test.each(reportTypes)("$label: downloads newest first with an index and no sort", async ({ value: reportType }) => {
  await client.query(reportSettings);
  for (const days of [30, 3_650]) {
    const report = buildPeriodReport(app.context(), { reportType, startDate: daysAgo(days), endDate: daysAgo(0) });
    const plan = await explain(buildCsvStatement(report));
    expect(findScansIn(plan), plan).toEqual([]);
    // Subqueries on one licence or user may sort a few rows, but the report itself must not sort.
    expect(plan.split("\n").slice(0, 2).join("\n")).not.toContain("Sort  ");
    expect(plan).not.toMatch(/Hash (?:Left )?Join/);
  }
  await client.query("reset all");
});

test.each(reportTypes)("$label: reads the preview, total and series with an index", async ({ value: reportType }) => {
  // A day in a full partition: a scan of a month that has just begun is the right plan.
  const request = { reportType, startDate: daysAgo(40), endDate: daysAgo(39) };
  const rows = selectRowsInPeriod(reportSources[reportType], request);
  const { columns, from } = buildPeriodReport(app.context(), request);
  for (const statement of [
    `select ${columns.map(({ sql }) => sql).join(", ")} ${from} limit 10`,
    `select count(*) from (select ${rows} limit 10001) counted`,
    `select ${toVendorDaySql(reportSources[reportType].at)}, count(*) ${rows} group by 1`,
  ]) {
    const plan = await explain(statement);
    expect(findScansIn(plan), plan).toEqual([]);
  }
});

test.each([6, 9] as const)("report %i reads only the partitions of its range", async (reportType) => {
  const month = { startDate: new Date("2026-01-01"), endDate: new Date("2026-01-31") };
  const plan = await explain(buildCsvStatement(buildPeriodReport(app.context(), { reportType, ...month })));
  const months = new Set(plan.match(/licence_events_\d{4}_\d{2}\b/g));
  expect([...months].filter((name) => name !== "licence_events_2026_01")).toEqual([]);
});
