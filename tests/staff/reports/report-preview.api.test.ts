import { parse } from "csv-parse/sync";
import { beforeAll, expect, test, vi } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { check } from "#api/platform/validate.ts";
import { previewReport } from "#api/staff/reports/report-preview.ts";
import { countReportSeries } from "#api/staff/reports/report-series.ts";
import { reportRules, reportTypes } from "#schema/report.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { blockMachine, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createSignedInAdmin, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { toCode } from "#schema/closed-list.ts";

const app = await startTestApp();

const { pool } = app.services;
const user = await createUser(app);
const { user: admin, token } = await createSignedInAdmin(app);
const allTime = { startDate: "2000-01-01", endDate: "2099-12-31" };

beforeAll(async () => {
  const licence = await createLicence(app, user);
  const device = await createDevice(app, licence);
  for (let n = 0; n < 12; n++) await createContact(app, user, { firstName: `Contact ${n}` });
  for (let n = 0; n < 3; n++) {
    await createTaxInvoice(app, user);
    await blockMachine(app, user, `PC-${n}`);
  }
  const sql = `insert into licence_events (at, last_at, kind, result_code, licence_id, machine_name)
     select now() - n * interval '7 hours', now() - n * interval '7 hours', 'validate', case when n % 9 = 0 then 20 else 1 end, $1, 'PC'
       from generate_series(1, 300) n`;
  await pool.query(sql, [licence.id]);
  const statement = `insert into comments (id, user_id, text, commented_by_id, commented_by, at)
     select gen_random_uuid(), $1, 'Called', $2, 'Root', now() - n * interval '1 day' from generate_series(1, 30) n`;
  await pool.query(statement, [user.id, admin.id]);
  const change = `insert into deactivations (id, user_id, device_id, at, "by", reason)
     select gen_random_uuid(), $1, $2, now() - n * interval '40 days', 'admin', '' from generate_series(1, 30) n`;
  await pool.query(change, [user.id, device.id]);
});

type Preview = { columns: { title: string }[]; rows: (string | null)[][]; total: number };
type Series = { bucket: string; points: { date: string; count: number }[] };
const readPreview = (request: Record<string, unknown>): Promise<Preview> => app.call("reportPreview", request, token);
const readSeries = (request: Record<string, unknown>): Promise<Series> => app.call("reportSeries", request, token);

test.each(reportTypes)("$label: previews the first rows, and counts every row", async ({ value: reportType }) => {
  const request = { reportType: toCode(reportTypes, reportType), ...allTime };
  const body = { reportType, ...allTime, format: "csv" };
  const [titles, ...rows] = parse((await app.rest("POST", "/v1/reports/download-report", { body, token })).text);
  const preview = await readPreview(request);
  expect(preview.columns.map(({ title }) => title)).toEqual(titles);
  const shown = preview.rows.map((row) => row.map((cell) => cell ?? ""));
  // In CSV, phone numbers are prefixed with an apostrophe, and times are in the vendor's time zone.
  const toUtc = (cell: string) =>
    /^\d{4}-.*\+10:00$/.test(cell) ? new Date(cell).toISOString().replace(".000Z", "Z") : cell;
  expect(shown).toEqual(rows.slice(0, 10).map((row) => row.map((cell) => toUtc(cell.replace(/^'\+/, "+")))));
  expect(rows.length).toBeGreaterThan(0);
  expect(preview.total).toBe(rows.length);
  const { points } = await readSeries(request);
  expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
  expect(points.length).toBeLessThanOrEqual(100);
});

test("counts rows by day in the vendor's time zone", async () => {
  await pool.query(
    "insert into comments select gen_random_uuid(), $1, 'x', $2, 'Root', t::timestamptz from unnest($3::text[]) t",
    [
      user.id,
      admin.id,
      ["2022-04-30 14:00:00+00", "2022-05-01 13:59:59.9999+00", "2022-05-01 14:30:00+02", "2022-05-02 14:00:00+00"],
    ],
  );
  const range = { startDate: "2022-05-01", endDate: "2022-05-02" };
  expect(await readSeries({ reportType: "USERS_COMMENTS", ...range })).toEqual({
    bucket: "DAY",
    points: [
      { date: "2022-05-01", count: 3 },
      { date: "2022-05-02", count: 0 },
    ],
  });
});

test("stops counting at 10,000", async () => {
  await pool.query(
    `insert into comments select gen_random_uuid(), $1, 'x', $2, 'Root', timestamptz '2010-01-01' + n * interval '1 minute' from generate_series(1, 10001) n`,
    [user.id, admin.id],
  );
  const range = { startDate: "2010-01-01", endDate: "2010-12-31" };
  const preview = await readPreview({ reportType: "USERS_COMMENTS", ...range });
  expect(preview).toMatchObject({ total: 10_000, isTotalCapped: true });
  await pool.query("delete from comments where at < '2011-01-01'");
});

test("rejects invalid requests and accepts extreme ranges", async () => {
  const request = { reportType: "USERS", ...allTime };
  const fields = { endDate: ["End date must not be before the start date."] };
  for (const read of [readPreview, readSeries]) {
    for (const startDate of ["", "a\u0000b", "x".repeat(5_000), "\ud800", "+010000-01-01"])
      await expect(read({ ...request, startDate })).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    await expect(read({ ...request, startDate: "2100-01-01" })).rejects.toMatchObject({ fields });
    const extreme = { startDate: "0001-01-01", endDate: "9999-12-31T23:59:59Z" };
    for (const { code } of reportTypes) await read({ reportType: code, ...extreme });
  }
});

test("explains what to do when a statement times out", async () => {
  const context = app.context();
  const request = check(reportRules, { reportType: 6, ...allTime });
  const cancelled = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
  vi.spyOn(context.pool, "query").mockImplementation((() => Promise.reject(cancelled)) as never);
  for (const work of [previewReport, countReportSeries])
    await expect(work(context, request)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "This date range has too much data to show here. Choose a shorter range, or download the report.",
    });
  vi.restoreAllMocks();
});

const { user: staff, token: finance } = await createSignedInAdmin(app, { staffRoles: ["finance"] });

const findLastExport = () =>
  app.services.orm.em
    .fork()
    .findOneOrFail(AuditEntry, { action: "export-report", actorId: staff.id }, { orderBy: { at: "desc" } });

const download = (body: object) => app.rest("POST", "/v1/reports/download-subscriptions", { body, token: finance });

test("exports the subscriptions of a filter with amounts including GST, and records it in the audit log", async () => {
  const { user } = await createSubscriber(app);
  const other = await createSubscriber(app);
  const { status, text } = await download({ search: user.email, statuses: ["ACTIVE"] });
  expect(status).toBe(200);
  const [titles, row, ...more] = text.trim().split("\n");
  expect(titles).toMatch(/^Customer,Company,Email,Plan,Status,Amount \(AUD\),/);
  expect(row).toContain(`,${user.email},`);
  expect(row).toMatch(/,Active,\d+\.\d\d,20\d\d-/);
  expect(more).toEqual([]);
  expect(text).not.toContain(other.user.email);

  const filter = { search: user.email };
  const [listed] = (await app.call("billingSubscriptions { rows { plan amountCents } }", { filter }, finance)).rows;
  expect(row).toContain(`,Active,${(listed.amountCents / 100).toFixed(2)},`);
  expect(row).toContain(listed.plan);
  expect(await findLastExport()).toMatchObject({
    actorId: staff.id,
    subjectType: "export",
    subjectName: "Subscriptions",
    after: { format: "csv" },
  });
});

test("filters exported subscriptions by status and names it as the list does, also for a deleted customer", async () => {
  const { user } = await createSubscriber(app);
  await pool.query("update subscriptions set is_cancelled_at_period_end = true where user_id = $1", [user.id]);
  const deletion = "update users set sign_in_email = null, archived_at = now(), deleted_at = now() where id = $1";
  await pool.query(deletion, [user.id]);
  const { text } = await download({ search: user.email, statuses: ["CANCELLING"] });
  expect(text.trim().split("\n")).toHaveLength(2);
  expect(text).toContain(",Cancelled,");
  // The email address is only a placeholder.
  expect(text).not.toContain("@");
  expect((await download({ statuses: ["PAUSED"] })).text.trim().split("\n")).toHaveLength(1);
  await pool.query("update subscriptions set paused_until = current_period_ends_at where user_id = $1", [user.id]);
  expect((await download({ statuses: ["PAUSED"] })).text).toContain(',"Paused, cancelled",');
  const { status, json } = await download({ statuses: ["Active"] });
  expect([status, Object.values(json)]).toEqual([400, [["Please choose one of the list."]]]);
});

test("records every report that staff download in the audit log", async () => {
  const body = { reportType: 1, startDate: "2025-01-01", endDate: "2025-01-31", format: "csv" };
  expect((await app.rest("POST", "/v1/reports/download-report", { body, token: finance })).status).toBe(200);
  expect((await findLastExport()).subjectName).toBe("Users");
});
