import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemberType } from "#schema/catalogue.ts";
import { after, DAY, HOUR } from "#api/platform/clock.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import { forgetReportFiles } from "#api/features/saved-reports/report-files.ts";
import { ReportRun } from "#api/features/saved-reports/report-run.entity.ts";
import { startDueReports } from "#api/features/saved-reports/start-due-reports.ts";
import { writeDueReport } from "#api/features/saved-reports/write-due-report.ts";
import { createContext } from "#api/platform/context.ts";
import { storedKeys } from "#tests/factories/software.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { auditOf } from "#tests/support/audit.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openBeside } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const beside = await openBeside(app);

let admin: User;
let token = "";

/** A Wednesday: what is weekly has been due on the Monday before and will be on the next. */
const WEDNESDAY = new Date("2026-11-25T10:00:00Z");
const at = (iso: string | Date) => app.clock.setOffset(new Date(iso).getTime() - Date.now());

beforeEach(async () => {
  at(WEDNESDAY);
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await app.services.pool.query("delete from saved_reports");
  for (const key of await storedKeys(app.services.files, "reports")) await app.services.files.delete(key);
  app.clock.setOffset(0);
});

const fields = "id name reportType period format schedule nextRunAt startDate endDate lastRunAt lastRunState lastFailure";
const weekly = { name: "New users", reportType: 1, period: "LAST_7_DAYS", format: "csv", schedule: "WEEKLY" };
const save = async (changes: object = {}, as = token) =>
  app.graphql(
    `mutation ($input: SavedReportInput!) { saveReport(input: $input) { ${fields} } }`,
    { input: { ...weekly, ...changes } },
    as,
  );
const saved = async (changes: object = {}, as = token) => (await save(changes, as)).data.saveReport;
const update = (id: string, changes: object, as = token) =>
  app.graphql(
    `mutation ($id: ID!, $input: SavedReportInput!) { updateSavedReport(id: $id, input: $input) { ${fields} } }`,
    { id, input: { ...weekly, ...changes } },
    as,
  );
const remove = (id: string, as = token) =>
  app.graphql("mutation ($id: ID!) { deleteSavedReport(id: $id) }", { id }, as);
const list = async (as = token) => (await app.graphql(`{ savedReports { ${fields} } }`, {}, as)).data.savedReports;
const come = async (iso: string | Date) => {
  at(iso);
  await runUntilDone(app.services, startDueReports);
  await app.services.jobs.drain();
};
/** A link's secret, of the newest mail to somebody. */
const mailed = async (user = admin) => {
  const [mail] = await mailsTo(app, user.email);
  return /\/admin\/report-file\/\?t=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
};
const fetchFile = (secret: string, as = token) =>
  app.rest("POST", "/v1/reports/download-file", { body: { token: secret }, token: as });
/** Signed in now: the clock was moved past the old session's token. */
const tokenNow = (user = admin) => signInAs(app, user);

describe("a saved report", () => {
  test("is there for who saved it, with the days of its period as of now and its next run", async () => {
    expect(await saved()).toMatchObject({
      ...weekly,
      nextRunAt: "2026-11-30T00:00:00.000Z",
      startDate: "2026-11-19",
      endDate: "2026-11-25",
      lastRunAt: null,
      lastRunState: null,
    });
    await saved({ name: "Invoices", reportType: 5, period: "LAST_MONTH", schedule: "NONE", format: "xlsx" });
    expect((await list()).map((row: Record<string, unknown>) => [row.name, row.nextRunAt])).toEqual([
      ["Invoices", null],
      ["New users", "2026-11-30T00:00:00.000Z"],
    ]);
    const colleague = await signInAs(app, await createAdmin(app));
    expect(await list(colleague)).toEqual([]);
  });

  test("is changed and deleted by who saved it, each with what differs in the audit log; another's is not found", async () => {
    const { id } = await saved();
    const colleague = await signInAs(app, await createAdmin(app));
    for (const refused of [await update(id, { name: "Mine" }, colleague), await remove(id, colleague)])
      expect(refused.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    expect((await remove("nonsense")).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    expect((await update(id, { schedule: "MONTHLY", reportType: 2 })).data.updateSavedReport).toMatchObject({
      reportType: 2,
      nextRunAt: "2026-12-01T00:00:00.000Z",
    });
    expect((await remove(id)).data).toEqual({ deleteSavedReport: true });
    expect(await auditOf(app, id)).toMatchObject([
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

  test("has a name of its own among its owner's, in any case, also when two come at once", async () => {
    const answers = await Promise.all([save(), save({ name: "NEW USERS" })]);
    const refused = answers.filter(({ errors }) => errors);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.errors?.[0]?.extensions).toMatchObject({
      code: "CONFLICT",
      fields: { name: ["You have a saved report of this name already."] },
    });
    const colleague = await signInAs(app, await createAdmin(app));
    expect((await save({}, colleague)).errors).toBeUndefined();
  });

  test("is one of at most 50, also when two come at once", async () => {
    await app.services.pool.query(
      `insert into saved_reports (id, owner_id, name, report_type, period, format, schedule, created_at)
       select gen_random_uuid(), $1, 'report ' || n, 1, 'LAST_DAY', 'csv', 'NONE', now() from generate_series(1, 49) n`,
      [admin.id],
    );
    const answers = await Promise.all([save({ name: "one" }), save({ name: "two" })]);
    expect(answers.filter(({ errors }) => errors?.[0]?.extensions.code === "CONFLICT")).toHaveLength(1);
    expect(await list()).toHaveLength(50);
  });

  test("says what is wrong with it", async () => {
    const { errors } = await save({ name: " ", reportType: 10, period: "TOMORROW", format: "pdf", schedule: "HOURLY" });
    expect(Object.keys(errors?.[0]?.extensions.fields ?? {}).toSorted()).toEqual([
      "format",
      "name",
      "period",
      "reportType",
      "schedule",
    ]);
  });
});

describe("a scheduled report", () => {
  test("comes as a link to its owner when it is due, of the whole week before, and again a week later", async () => {
    await createUser(app, { email: "early@example.com", registeredAt: new Date("2026-11-22T23:59:59Z") });
    await createUser(app, { email: "first@example.com", registeredAt: new Date("2026-11-23T00:00:00Z") });
    await createUser(app, { email: "last@example.com", registeredAt: new Date("2026-11-29T23:59:59.999Z") });
    await createUser(app, { email: "late@example.com", registeredAt: new Date("2026-11-30T00:00:00Z") });
    await saved();
    await come("2026-11-29T23:59:00Z");
    expect(await mailsTo(app, admin.email)).toEqual([]);

    await come("2026-11-30T00:01:00Z");
    const [mail] = await mailsTo(app, admin.email);
    expect(mail?.subject).toBe("Your report is ready: New users");
    expect(mail?.text).toContain("23/11/2026 to 29/11/2026");
    expect(mail?.text).not.toContain("first@example.com");
    token = await tokenNow();
    const file = await fetchFile(await mailed());
    expect(file.status).toBe(200);
    expect(file.headers.get("content-disposition")).toMatch(/2026-11-23-to-2026-11-29\.csv"/);
    expect(file.headers.get("cache-control")).toContain("no-store");
    for (const there of ["first", "last"]) expect(file.text).toContain(`${there}@example.com`);
    for (const not of ["early", "late"]) expect(file.text).not.toContain(`${not}@example.com`);
    expect(await list()).toMatchObject([
      { lastRunState: "mailed", lastFailure: null, nextRunAt: "2026-12-07T00:00:00.000Z" },
    ]);

    await come("2026-12-07T00:01:00Z");
    expect(await mailsTo(app, admin.email)).toHaveLength(2);
  });

  test("is a workbook where that was asked for", async () => {
    await saved({ format: "xlsx", period: "ALL_TIME" });
    await come("2026-11-30T00:01:00Z");
    token = await tokenNow();
    const response = await fetch(`${app.url}/v1/reports/download-file`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ token: await mailed() }),
    });
    expect(response.headers.get("content-type")).toContain("spreadsheetml");
    const { rows } = readWorkbook(Buffer.from(await response.arrayBuffer()));
    expect(rows.flat().map((cell) => cell.text)).toContain(admin.email);
  });

  test("is mailed once however many processes see it come, and by two workers of one run", async () => {
    await saved();
    at("2026-11-30T00:01:00Z");
    const sweep = (services = app.services) => runUntilDone(services, startDueReports);
    await Promise.all([sweep(), sweep(beside), sweep(), sweep(beside)]);
    const [run] = await app.context().em.find(ReportRun, {});
    const write = (services = app.services) => writeDueReport(createContext(services), { runId: run?.id ?? "" });
    await Promise.all([write(), write(beside)]);
    await Promise.all([app.services.jobs.drain(), beside.jobs.drain()]);
    expect(await mailsTo(app, admin.email)).toHaveLength(1);
    expect(await app.context().em.count(ReportRun, {})).toBe(1);
    expect(await storedKeys(app.services.files, "reports")).toHaveLength(1);
  });

  test("that was missed for weeks is made up for once, for the last Monday", async () => {
    await saved();
    await come("2026-12-24T10:00:00Z");
    const mails = await mailsTo(app, admin.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("14/12/2026 to 20/12/2026");
    expect(await list(await tokenNow())).toMatchObject([{ nextRunAt: "2026-12-28T00:00:00.000Z" }]);
  });

  test("doesn't come again when the clock is put back, nor once it is not scheduled any more", async () => {
    const { id } = await saved();
    await come("2026-11-30T00:01:00Z");
    token = await tokenNow();
    at(WEDNESDAY);
    await update(id, { schedule: "NONE" });
    await update(id, {});
    await come("2026-11-30T00:02:00Z");
    expect(await mailsTo(app, admin.email)).toHaveLength(1);
    await update(id, { schedule: "NONE" }, await tokenNow());
    await come("2026-12-30T00:00:00Z");
    expect(await mailsTo(app, admin.email)).toHaveLength(1);
  });

  test("is not made for an owner who is archived or demoted, and goes on when they are back", async () => {
    await createAdmin(app);
    const demoted = await createAdmin(app);
    await saved();
    await saved({}, await signInAs(app, demoted));
    const change = (user: User, values: Partial<User>) => app.context().em.nativeUpdate(User, user.id, values);
    await change(admin, { archivedAt: WEDNESDAY });
    await change(demoted, { memberType: MemberType.Regular });
    await come("2026-11-30T00:01:00Z");
    expect(await app.context().em.count(ReportRun, {})).toBe(0);
    for (const user of [admin, demoted]) expect(await mailsTo(app, user.email)).toEqual([]);
    await change(admin, { archivedAt: null });
    await come("2026-12-01T10:00:00Z");
    expect(await mailsTo(app, admin.email)).toHaveLength(1);
  });

  test("is not mailed to an owner who was demoted while it was written, and leaves no file", async () => {
    await saved();
    const { put } = app.services.files;
    vi.spyOn(app.services.files, "put").mockImplementation(async (key, content) => {
      await app.context().em.nativeUpdate(User, admin.id, { memberType: MemberType.Corporate });
      return put(key, content);
    });
    await come("2026-11-30T00:01:00Z");
    expect(await mailsTo(app, admin.email)).toEqual([]);
    expect(await storedKeys(app.services.files, "reports")).toEqual([]);
  });

  test("that fails says so in the list, in words of ours, and is tried again", async () => {
    await saved();
    const failing = vi.spyOn(app.services.files, "put").mockImplementation((_, content) => {
      content.destroy();
      return Promise.reject(new Error("ENOSPC: /var/data/files"));
    });
    await come("2026-11-30T00:01:00Z");
    token = await tokenNow();
    const [failed] = await list();
    expect(failed).toMatchObject({ lastRunState: "retrying", lastRunAt: expect.stringContaining("2026-11-30") });
    expect(failed.lastFailure).not.toMatch(/ENOSPC|var/);
    expect(await mailsTo(app, admin.email)).toEqual([]);
    failing.mockRestore();
    await app.services.jobs.drain({ delayed: true });
    expect(await mailsTo(app, admin.email)).toHaveLength(1);
    expect(await list()).toMatchObject([{ lastRunState: "mailed", lastFailure: null }]);
  });

  test("that goes on failing is given up after a day, and the next one is made", async () => {
    await saved();
    const failing = vi.spyOn(app.services.files, "put").mockImplementation((_, content) => {
      content.destroy();
      return Promise.reject(new Error("ENOSPC"));
    });
    await come("2026-11-30T00:01:00Z");
    at("2026-12-01T00:01:00Z");
    await app.services.jobs.drain({ delayed: true });
    expect(await list(await tokenNow())).toMatchObject([{ lastRunState: "failed" }]);
    failing.mockRestore();
    await app.services.jobs.drain({ delayed: true });
    expect(await mailsTo(app, admin.email)).toEqual([]);
    await come("2026-12-07T00:01:00Z");
    expect(await mailsTo(app, admin.email)).toHaveLength(1);
  });
});

describe("a mailed link", () => {
  const make = async () => {
    await saved();
    await come("2026-11-30T00:01:00Z");
    token = await tokenNow();
    return mailed();
  };
  const details = (secret: string, as = token) =>
    app.graphql("query ($t: String!) { reportFile(token: $t) { name fileName sizeBytes startDate expiresAt } }", { t: secret }, as);

  test("is kept as its hash alone, and works again and again for a week", async () => {
    const secret = await make();
    expect((await details(secret)).data.reportFile).toMatchObject({
      name: "New users",
      startDate: "2026-11-23",
      sizeBytes: expect.any(Number),
      expiresAt: expect.stringMatching(/^2026-12-07T00:01/),
    });
    const { rows } = await app.services.pool.query("select * from report_runs");
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (let time = 0; time < 2; time++) expect((await fetchFile(secret)).status).toBe(200);
    at("2026-12-07T00:00:30Z");
    expect((await fetchFile(secret, await tokenNow())).status).toBe(200);
    at("2026-12-07T00:02:00Z");
    token = await tokenNow();
    expect((await fetchFile(secret)).status).toBe(404);
    expect((await details(secret)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });

  test("leads nowhere for anybody else: another admin, a customer, a visitor, a guess", async () => {
    const secret = await make();
    const colleague = await signInAs(app, await createAdmin(app));
    const missing = await fetchFile("x".repeat(43));
    expect(missing.status).toBe(404);
    expect((await fetchFile(secret, colleague)).json).toEqual(missing.json);
    expect((await details(secret, colleague)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    expect((await fetchFile(secret, await signInAs(app, await createUser(app)))).status).toBe(403);
    expect((await fetchFile(secret, "")).status).toBe(401);
    await app.context().em.nativeUpdate(User, admin.id, { memberType: MemberType.Regular });
    expect((await fetchFile(secret)).status).toBe(403);
  });

  test("goes with its saved report, its file too", async () => {
    const secret = await make();
    const [{ id }] = await list();
    await remove(id);
    expect((await fetchFile(secret)).status).toBe(404);
    expect(await storedKeys(app.services.files, "reports")).toEqual([]);
  });

  test("loses its file by due work once it works no longer; a file no run knows goes as well, a fresh one stays", async () => {
    const secret = await make();
    const { files } = app.services;
    const [key = ""] = await storedKeys(files, "reports");
    await runUntilDone(app.services, forgetReportFiles);
    expect(await storedKeys(files, "reports")).toEqual([key]);
    const { rows } = await app.services.pool.query("select * from report_runs");
    await app.services.pool.query("delete from report_runs");
    await runUntilDone(app.services, forgetReportFiles);
    expect(await storedKeys(files, "reports")).toEqual([key]);
    vi.spyOn(files, "list").mockImplementation(async function* () {
      yield { key, writtenAt: after(new Date(), -2 * HOUR) };
    });
    await runUntilDone(app.services, forgetReportFiles);
    vi.restoreAllMocks();
    expect(await storedKeys(files, "reports")).toEqual([]);
    expect(rows).toHaveLength(1);
    expect((await fetchFile(secret)).status).toBe(404);

    await come("2026-12-07T00:01:00Z");
    expect(await storedKeys(files, "reports")).toHaveLength(1);
    app.clock.setOffset(app.clock.offsetMs + 8 * DAY);
    await runUntilDone(app.services, forgetReportFiles);
    expect(await storedKeys(files, "reports")).toEqual([]);
  });
});
