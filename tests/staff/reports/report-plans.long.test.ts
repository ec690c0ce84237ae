import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportTypes } from "#schema/report.ts";
import { buildPeriodReport, selectRowsInPeriod } from "#api/staff/reports/period-report.ts";
import { reportSettings } from "#api/staff/reports/report-client.ts";
import { toVendorDaySql } from "#api/staff/reports/report.ts";
import { reportSources } from "#api/staff/reports/report-sources.ts";
import { buildCsvStatement } from "#api/staff/reports/stream-report.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const client = new pg.Client({ ...app.database, database: app.database.dbName });

/** Rows per table, enough that PostgreSQL prefers indexes to sequential scans. */
const ROW_COUNT = 6_000;
const someUser = `(array(select id from users order by id limit 500))[1 + n % 500]`;
const someLicence = `(array(select id from licences order by id limit 2000))[1 + n % 2000]`;
const someTime = `now() - n % 400 * interval '1 day'`;

beforeAll(async () => {
  const user = await createUser(app);
  const admin = await createAdmin(app);
  const licence = await createLicence(app, user);
  await createDevice(app, licence);
  await createContact(app, user);
  await createSubscription(app, licence);
  await createTaxInvoice(app, user);
  await client.connect();
  const multiply = (table: string, differing: string) => copyRow(client, table, { times: ROW_COUNT, differing });
  await multiply(
    "users",
    `'confirmation_handle', gen_random_uuid(), 'email', 'p' || n || '@example.com', 'sign_in_email', 'p' || n || '@example.com', 'registered_at', ${someTime}`,
  );
  await multiply(
    "licences",
    `'licence_code', 'code' || n, 'support_code', 'S-' || n, 'user_id', ${someUser}, 'created_at', ${someTime}`,
  );
  await multiply("devices", `'licence_id', ${someLicence}, 'fingerprint', 'f' || n, 'token_hash', 't' || n`);
  await multiply("contacts", `'user_id', ${someUser}, 'added_at', ${someTime}`);
  await multiply(
    "subscriptions",
    `'user_id', ${someUser}, 'licence_id', ${someLicence}, 'status', 'cancelled', 'ended_at', now()`,
  );
  await multiply("tax_invoices", `'number', 'N' || n, 'user_id', ${someUser}, 'issued_at', ${someTime}`);
  await client.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id)
     select now() - (n * 5 + m) * interval '1 minute', now(), 'validate', case when n % 100 = 0 then 20 else 1 end, id
       from (select id, row_number() over () as n from licences) l, generate_series(1, 5) m`,
  );
  await client.query(
    `insert into comments select gen_random_uuid(), ${someUser}, 'x', $1, 'Root', ${someTime} from generate_series(1, ${ROW_COUNT}) n`,
    [admin.id],
  );
  await client.query(
    `insert into deactivations (id, user_id, device_id, at, "by", reason)
     select gen_random_uuid(), ${someUser}, id, ${someTime}, 'admin', '' from (select id, row_number() over () as n from devices) d`,
  );
  await client.query(
    `insert into blocked_machines (id, user_id, machine_name, compared_name, blocked_at)
     select gen_random_uuid(), ${someUser}, 'PC' || n, 'pc' || n, ${someTime} from generate_series(1, ${ROW_COUNT}) n`,
  );
  await client.query("analyze");
}, 120_000);

afterAll(() => client.end());

const month = { startDate: new Date("2026-01-01"), endDate: new Date("2026-01-31") };
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000);

async function explain(statement: string): Promise<string> {
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${statement}`);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/** Tables with only a few rows. */
const smallTables = /plans|plan_prices|checkouts|promo_codes|promo_redemptions|pp\b|\bp\b/;
const findSequentialScans = (plan: string) =>
  [...plan.matchAll(/Seq Scan on (\w+).*rows=(\d+)/g)].filter(
    ([, table = "", rows]) => !smallTables.test(table) && Number(rows) > 1,
  );

test.each(reportTypes)(
  "$label: downloads newest first with an index, without sorting",
  async ({ value: reportType }) => {
    await client.query(reportSettings);
    for (const days of [30, 3_650]) {
      const report = buildPeriodReport(app.context(), { reportType, startDate: daysAgo(days), endDate: daysAgo(0) });
      const plan = await explain(buildCsvStatement(report));
      expect(findSequentialScans(plan), plan).toEqual([]);
      // Subqueries on one licence or user may sort a few rows, but the report itself must not sort.
      expect(plan.split("\n").slice(0, 2).join("\n")).not.toContain("Sort  ");
      expect(plan).not.toMatch(/Hash (?:Left )?Join/);
    }
    await client.query("reset all");
  },
);

test.each(reportTypes)("$label: reads the preview, total and series with an index", async ({ value: reportType }) => {
  const request = { reportType, startDate: daysAgo(1), endDate: daysAgo(0) };
  const rows = selectRowsInPeriod(reportSources[reportType], request);
  const { columns, from } = buildPeriodReport(app.context(), request);
  const statements = [
    `select ${columns.map(({ sql }) => sql).join(", ")} ${from} limit 10`,
    `select count(*) from (select ${rows} limit 10001) counted`,
    `select ${toVendorDaySql(reportSources[reportType].at)}, count(*) ${rows} group by 1`,
  ];
  for (const statement of statements) {
    const plan = await explain(statement);
    expect(findSequentialScans(plan), plan).toEqual([]);
  }
});

test.each([6, 9] as const)("report %i reads only the partitions of its range", async (reportType) => {
  const plan = await explain(buildCsvStatement(buildPeriodReport(app.context(), { reportType, ...month })));
  const months = new Set(plan.match(/licence_events_\d{4}_\d{2}\b/g));
  expect([...months].filter((name) => name !== "licence_events_2026_01")).toEqual([]);
});
