import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MemberType } from "#schema/user.ts";
import { createContext } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { User } from "#api/people/users/user.entity.ts";
import { ReportRun } from "#api/staff/saved-reports/saved-report.entity.ts";
import { startDueReports } from "#api/staff/saved-reports/start-due-reports.ts";
import { writeDueReport } from "#api/staff/saved-reports/write-due-report.ts";
import { MONDAY, openSavedReports, WEDNESDAY } from "#tests/factories/saved-report.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const secondApp = await openSecondProcess(app);
const reports = openSavedReports(app);
const { setTime, runDueReports } = reports;

let admin: User;
let token = "";

beforeEach(async () => {
  setTime(WEDNESDAY);
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
});

afterEach(() => {
  vi.restoreAllMocks();
  return reports.clear();
});

const saved = async (changes: object = {}, as = token) => (await reports.save(as, changes)).data.saveReport;
const update = (id: string, changes: object, as = token) => reports.update(as, id, changes);
const list = (as = token) => reports.list(as);
const getEmailedSecret = () => reports.secretOf(admin);
const fetchFile = (secret: string, as = token) => reports.fetchFile(as, secret);
/** Signs in again, because the clock was moved past the expiry of the old token. */
const renewToken = () => signInAs(app, admin);
/** Saves a report that becomes due, starts it in both processes at the same time, and returns the ID of its run. */
const startRun = async () => {
  await saved();
  setTime(MONDAY);
  await Promise.all([app.services, secondApp, app.services].map((one) => runSweep(one, startDueReports)));
  const [run] = await app.context().em.find(ReportRun, {});
  return run?.id ?? "";
};

test("a scheduled report is emailed to its owner every week, as a link to the report for the previous week", async () => {
  await createUser(app, { email: "early@example.com", registeredAt: new Date("2026-11-22T13:59:59Z") });
  await createUser(app, { email: "first@example.com", registeredAt: new Date("2026-11-22T14:00:00Z") });
  await createUser(app, { email: "last@example.com", registeredAt: new Date("2026-11-29T13:59:59.999Z") });
  await createUser(app, { email: "late@example.com", registeredAt: new Date("2026-11-29T14:00:00Z") });
  await saved();
  await runDueReports("2026-11-29T13:59:00Z");
  expect(await listEmailsTo(app, admin.email)).toEqual([]);

  await runDueReports(MONDAY);
  const [email] = await listEmailsTo(app, admin.email);
  expect(email?.subject).toBe("Your report is ready: New users");
  expect(email?.text).toContain("23 Nov 2026 to 29 Nov 2026");
  expect(email?.text).toMatch(/\.(xlsx|csv), \d+ kB/);
  expect(email?.text).not.toContain("first@example.com");
  token = await renewToken();
  const file = await fetchFile(await getEmailedSecret());
  expect(file.status).toBe(200);
  expect(file.headers.get("content-disposition")).toMatch(/2026-11-23-to-2026-11-29\.csv"/);
  expect(file.headers.get("cache-control")).toContain("no-store");
  for (const there of ["first", "last"]) expect(file.text).toContain(`${there}@example.com`);
  for (const not of ["early", "late"]) expect(file.text).not.toContain(`${not}@example.com`);
  expect(await list()).toMatchObject([
    { lastRunState: "MAILED", lastFailure: null, nextRunAt: "2026-12-06T14:00:00.000Z" },
  ]);

  await runDueReports("2026-12-06T14:01:00Z");
  expect(await listEmailsTo(app, admin.email)).toHaveLength(2);
});

test("a scheduled report is a workbook if that format is selected", async () => {
  await saved({ format: "XLSX", period: "ALL_TIME" });
  await runDueReports(MONDAY);
  token = await renewToken();
  const { headers, bytes } = await fetchFile(await getEmailedSecret());
  expect(headers.get("content-type")).toContain("spreadsheetml");
  const { rows } = readWorkbook(bytes);
  expect(rows.flat().map((cell) => cell.text)).toContain(admin.email);
});

test("a scheduled report is emailed once even with concurrent processes and workers", async () => {
  const runId = await startRun();
  await Promise.all([app.services, secondApp].map((one) => writeDueReport(createContext(one), { runId })));
  await Promise.all([app.services.jobs.drain(), secondApp.jobs.drain()]);
  expect(await listEmailsTo(app, admin.email)).toHaveLength(1);
  expect(await app.context().em.count(ReportRun, {})).toBe(1);
  expect(await listStoredKeys(app.services.files, "reports")).toHaveLength(1);
});

test("a scheduled report is sent once for the last Monday after several missed weeks", async () => {
  await saved();
  await runDueReports("2026-12-24T10:00:00Z");
  const emails = await listEmailsTo(app, admin.email);
  expect(emails).toHaveLength(1);
  expect(emails[0]?.text).toContain("14 Dec 2026 to 20 Dec 2026");
  expect(await list(await renewToken())).toMatchObject([{ nextRunAt: "2026-12-27T14:00:00.000Z" }]);
});

test("a scheduled report isn't sent again after the clock is set back or the schedule is removed", async () => {
  const { id } = await saved();
  await runDueReports(MONDAY);
  token = await renewToken();
  setTime(WEDNESDAY);
  await update(id, { schedule: "NONE" });
  await update(id, {});
  await runDueReports("2026-11-29T14:02:00Z");
  expect(await listEmailsTo(app, admin.email)).toHaveLength(1);
  await update(id, { schedule: "NONE" }, await renewToken());
  await runDueReports("2026-12-30T00:00:00Z");
  expect(await listEmailsTo(app, admin.email)).toHaveLength(1);
});

test("a scheduled report isn't created while its owner is archived, not an admin or without the role finance", async () => {
  await createAdmin(app);
  const demoted = await createAdmin(app);
  await saved();
  await saved({}, await signInAs(app, demoted));
  const supporter = await createAdmin(app);
  await saved({}, await signInAs(app, supporter));
  const change = (user: User, values: Partial<User>) => app.context().em.nativeUpdate(User, user.id, values);
  await change(admin, { archivedAt: WEDNESDAY });
  await change(demoted, { memberType: MemberType.Regular });
  await change(supporter, { staffRoles: ["support"] });
  await runDueReports(MONDAY);
  expect(await app.context().em.count(ReportRun, {})).toBe(0);
  for (const user of [admin, demoted, supporter]) expect(await listEmailsTo(app, user.email)).toEqual([]);
  await change(admin, { archivedAt: null });
  await runDueReports("2026-12-01T10:00:00Z");
  expect(await listEmailsTo(app, admin.email)).toHaveLength(1);
});

test.each([
  ["isn't emailed", 0],
  ["stays emailed by another process", 1],
])("a scheduled report %s if its owner loses the admin role while it is written", async (_outcome, emails) => {
  const runId = await startRun();
  const { files } = app.services;
  const put = files.put.bind(files);
  vi.spyOn(files, "put").mockImplementationOnce(async (key, content) => {
    if (emails > 0) await writeDueReport(createContext(secondApp), { runId });
    await app.context().em.nativeUpdate(User, admin.id, { memberType: MemberType.Corporate });
    return put(key, content);
  });
  await writeDueReport(app.context(), { runId });
  const { state } = await app.context().em.findOneOrFail(ReportRun, runId);
  expect(state).toBe(emails > 0 ? "mailed" : "failed");
  expect(await listEmailsTo(app, admin.email)).toHaveLength(emails);
  expect(await listStoredKeys(files, "reports")).toHaveLength(emails);
});

test("a scheduled report is written again if its owner loses a role while it is written", async () => {
  await saved({ reportType: "LICENCES" });
  const { files } = app.services;
  const put = files.put.bind(files);
  vi.spyOn(files, "put").mockImplementationOnce(async (key, content) => {
    const stored = await put(key, content);
    await reports.changeRoles(admin, ["finance"]);
    return stored;
  });
  await runDueReports(MONDAY);
  token = await renewToken();
  expect(await getEmailedSecret()).toBe("");
  expect((await list())[0].lastFailure).toBe("Your roles changed while the report was written.");
  await app.services.jobs.drain({ delayed: true });
  const { text } = await fetchFile(await getEmailedSecret());
  expect([text.includes("Support code"), text.includes("Licence code")]).toEqual([true, false]);
});

test("a scheduled report shows a failure without internal details and is retried", async () => {
  await saved();
  const failing = vi.spyOn(app.services.files, "put").mockRejectedValue(new Error("ENOSPC: /var/data/files"));
  await runDueReports(MONDAY);
  const { reportPool } = app.services;
  await expect.poll(() => reportPool.totalCount - reportPool.idleCount).toBe(0);
  token = await renewToken();
  const [failed] = await list();
  expect(failed).toMatchObject({ lastRunState: "RETRYING", lastRunAt: expect.stringContaining("2026-11-29T14:") });
  expect(failed.lastFailure).not.toMatch(/ENOSPC|var/);
  expect(await listEmailsTo(app, admin.email)).toEqual([]);
  failing.mockRestore();
  await app.services.jobs.drain({ delayed: true });
  expect(await listEmailsTo(app, admin.email)).toHaveLength(1);
  expect(await list()).toMatchObject([{ lastRunState: "MAILED", lastFailure: null }]);
});

test("a scheduled report is retried for a day even if it started days late, then fails, and runs again when it is due", async () => {
  await saved();
  const failing = vi.spyOn(app.services.files, "put").mockRejectedValue(new Error("ENOSPC"));
  await runDueReports("2026-12-03T09:00:00Z");
  for (const [time, lastRunState] of [
    ["2026-12-04T08:00:00Z", "RETRYING"],
    ["2026-12-04T10:00:00Z", "FAILED"],
  ] as const) {
    setTime(time);
    await app.services.jobs.drain({ delayed: true });
    expect(await list(await renewToken())).toMatchObject([{ lastRunState }]);
  }
  failing.mockRestore();
  await app.services.jobs.drain({ delayed: true });
  expect(await listEmailsTo(app, admin.email)).toEqual([]);
  await runDueReports("2026-12-06T14:01:00Z");
  expect(await listEmailsTo(app, admin.email)).toHaveLength(1);
});

test("leaves no file and no error when it is deleted while it is being written", async () => {
  const runId = await startRun();
  const [{ id }] = await list(await renewToken());
  const { pool } = app.services;
  const deleting = await pool.connect();
  try {
    await deleting.query("begin");
    await deleting.query("select id from saved_reports where id = $1 for update", [id]);
    const written = writeDueReport(app.context(), { runId });
    const waiting = "select from pg_locks where not granted";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBeGreaterThan(0);
    await deleting.query("delete from saved_reports where id = $1", [id]);
    await deleting.query("commit");
    await written;
  } finally {
    deleting.release();
  }
  expect([await listEmailsTo(app, admin.email), await listStoredKeys(app.services.files, "reports")]).toEqual([[], []]);
  await app.services.jobs.drain();
});
