import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MemberType } from "#schema/user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { deleteExpiredReportFiles } from "#api/staff/saved-reports/report-files.ts";
import { MONDAY, openSavedReports, WEDNESDAY, weekly } from "#tests/factories/saved-report.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const reports = openSavedReports(app);

let admin: User;
let token = "";

beforeEach(async () => {
  reports.setTime(WEDNESDAY);
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
});

afterEach(() => {
  vi.restoreAllMocks();
  return reports.clear();
});

const save = (changes: object = {}, as = token) => reports.save(as, changes);
const saved = async (changes: object = {}, as = token) => (await save(changes, as)).data.saveReport;
const update = (id: string, changes: object) => reports.update(token, id, changes);
const remove = (id: string) => reports.remove(token, id);
const list = (as = token) => reports.list(as);

test("a saved report is visible to its owner with the current days of its period and its next run", async () => {
  const days = { startDate: "2026-11-19", endDate: "2026-11-25" };
  const run = { nextRunAt: "2026-11-29T14:00:00.000Z", lastRunAt: null, lastRunState: null };
  expect(await saved()).toMatchObject({ ...weekly, ...days, ...run });
  const monthly = { reportType: "TAX_INVOICES", period: "LAST_MONTH", schedule: "NONE", format: "XLSX" };
  await saved({ name: "Invoices", ...monthly });
  expect((await list()).map((row: Record<string, unknown>) => [row.name, row.nextRunAt])).toEqual([
    ["Invoices", null],
    ["New users", "2026-11-29T14:00:00.000Z"],
  ]);
  expect(await list(await signInAs(app, await createAdmin(app)))).toEqual([]);
});

test("a saved report is started when it is due although another one fails", async () => {
  await saved();
  await saved({ name: "Other users" });
  vi.spyOn(app.services.jobs, "add").mockRejectedValueOnce(new Error("The first report can't be started."));
  await reports.runDueReports(MONDAY);
  expect(await listEmailsTo(app, admin.email)).toHaveLength(2);
});

test("a saved report can be changed and deleted, and records changes in the audit log", async () => {
  const { id } = await saved();
  const { data } = await update(id, { schedule: "MONTHLY", reportType: "USERS_CONTACTS" });
  expect(data.updateSavedReport).toMatchObject({ reportType: "USERS_CONTACTS", nextRunAt: "2026-11-30T14:00:00.000Z" });
  expect((await remove(id)).data).toEqual({ deleteSavedReport: { id } });
  expect(await listAuditEntries(app, id)).toMatchObject([
    { action: "save-report", actorId: admin.id, after: { name: "New users", schedule: "Every Monday" } },
    {
      action: "update-saved-report",
      before: { reportType: "Users", schedule: "Every Monday" },
      after: { reportType: "User's Contacts", schedule: "The 1st of each month" },
    },
    { action: "delete-saved-report", before: { name: "New users" }, after: null },
  ]);
  expect(await list()).toEqual([]);
});

test("a saved report must have a unique name per owner, ignoring case, even with concurrent requests", async () => {
  const refused = (await Promise.all([save(), save({ name: "NEW USERS" })])).filter(({ errors }) => errors);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.errors?.[0]?.extensions).toMatchObject({
    code: "CONFLICT",
    fields: { name: ["You already have a saved report with this name."] },
  });
  expect((await save({}, await signInAs(app, await createAdmin(app)))).errors).toBeUndefined();
});

test("a saved report is limited to 50 per owner, even with concurrent requests, and reports errors by field", async () => {
  const sql = `insert into saved_reports (id, owner_id, name, report_type, period, format, schedule, created_at)
       select gen_random_uuid(), $1, 'report ' || n, 1, 'LAST_DAY', 'csv', 'NONE', now() from generate_series(1, 49) n`;
  await app.services.pool.query(sql, [admin.id]);
  const responses = await Promise.all([save({ name: "one" }), save({ name: "two" })]);
  expect(responses.filter(({ errors }) => errors?.[0]?.extensions.code === "CONFLICT")).toHaveLength(1);
  expect(await list()).toHaveLength(50);
  expect(Object.keys((await save({ name: " " })).errors?.[0]?.extensions.fields ?? {})).toEqual(["name"]);
});

const fetchFile = (secret: string, as = token) => reports.fetchFile(as, secret);

const createLink = async () => {
  await saved();
  await reports.runDueReports(MONDAY);
  token = await signInAs(app, admin);
  return reports.secretOf(admin);
};
const details = (secret: string, as = token) =>
  app.call("reportFile { name fileName sizeBytes startDate expiresAt }", { token: secret }, as);

test("an emailed link is stored only as a hash and works repeatedly for a week", async () => {
  const secret = await createLink();
  expect(await details(secret)).toMatchObject({
    name: "New users",
    startDate: "2026-11-23",
    sizeBytes: expect.any(Number),
    expiresAt: expect.stringMatching(/^2026-12-06T14:01/),
  });
  expect(JSON.stringify((await app.services.pool.query("select * from report_runs")).rows)).not.toContain(secret);
  for (let time = 0; time < 2; time++) expect((await fetchFile(secret)).status).toBe(200);
  reports.setTime("2026-12-06T14:00:30Z");
  expect((await fetchFile(secret, await signInAs(app, admin))).status).toBe(200);
  reports.setTime("2026-12-06T14:02:00Z");
  token = await signInAs(app, admin);
  expect((await fetchFile(secret)).status).toBe(404);
  await expect(details(secret)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an emailed link doesn't work for another admin, one who isn't an admin any more, or with a guessed token", async () => {
  const secret = await createLink();
  const colleague = await signInAs(app, await createAdmin(app));
  const missing = await fetchFile("x".repeat(43));
  expect([missing.status, (await fetchFile(secret, colleague)).json]).toEqual([404, missing.json]);
  await expect(details(secret, colleague)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await app.context().em.nativeUpdate(User, admin.id, { memberType: MemberType.Regular });
  expect((await fetchFile(secret)).status).toBe(403);
});

test("an emailed link doesn't work any more for an admin who lost a role, because the file was written with it", async () => {
  const secret = await createLink();
  await reports.changeRoles(admin, ["finance"]);
  expect((await fetchFile(secret)).status).toBe(404);
});

test("an emailed link is deleted with its saved report and file", async () => {
  const secret = await createLink();
  const [{ id }] = await list();
  await reports.remove(token, id);
  expect([(await fetchFile(secret)).status, await listStoredKeys(app.services.files, "reports")]).toEqual([404, []]);
});

test("an emailed link loses its file to the sweep after it expires; the sweep also deletes orphaned files but keeps new ones", async () => {
  const secret = await createLink();
  const { files } = app.services;
  const [key = ""] = await listStoredKeys(files, "reports");
  await runSweep(app.services, deleteExpiredReportFiles);
  expect(await listStoredKeys(files, "reports")).toEqual([key]);
  const { rows } = await app.services.pool.query("select * from report_runs");
  await app.services.pool.query("delete from report_runs");
  await runSweep(app.services, deleteExpiredReportFiles);
  expect(await listStoredKeys(files, "reports")).toEqual([key]);
  vi.spyOn(files, "list").mockImplementation(async function* () {
    for (const one of ["reports/stuck", key]) yield { key: one, writtenAt: addMilliseconds(new Date(), -2 * HOUR) };
  });
  vi.spyOn(files, "delete").mockRejectedValueOnce(new Error("The file can't be deleted."));
  await runSweep(app.services, deleteExpiredReportFiles);
  vi.restoreAllMocks();
  expect([await listStoredKeys(files, "reports"), rows.length]).toEqual([[], 1]);
  expect((await fetchFile(secret)).status).toBe(404);

  await reports.runDueReports("2026-12-06T14:01:00Z");
  expect(await listStoredKeys(files, "reports")).toHaveLength(1);
  app.clock.setOffset(app.clock.offsetMs + 8 * DAY);
  vi.spyOn(files, "delete").mockRejectedValueOnce(new Error("The file can't be deleted."));
  await runSweep(app.services, deleteExpiredReportFiles);
  await runSweep(app.services, deleteExpiredReportFiles);
  expect(await listStoredKeys(files, "reports")).toEqual([]);
});
