import { expect, test, vi } from "vitest";
import { bulkLimits } from "#schema/bulk-run.ts";
import { DAY } from "#api/platform/clock.ts";
import { AppError } from "#api/platform/errors.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { BulkRow, BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { cleanUpBulkRuns } from "#api/staff/bulk/process-bulk-run.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import {
  processRun,
  checkFile,
  formatFaults,
  loadRows,
  loadRun,
  upload,
  buildUsersCsv,
} from "#tests/factories/bulk.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createAdmin, createSignedIn, createSignedInAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user: admin, token } = await createSignedInAdmin(app);

const em = () => app.context().em;
const start = (id: string, as = token) => app.call("startBulkRun { id }", { id }, as);

test("accepts only text files that aren't empty", async () => {
  const message = "Please send the content type text/csv, text/plain or text/tab-separated-values.";
  for (const type of ["application/json", "application/zip"]) {
    const { status, json } = await upload(app, token, "kind=import-users", "{}", type);
    expect([status, json]).toEqual([415, { Message: message, requestId: expect.any(String) }]);
  }
  expect((await upload(app, token, "kind=import-users", "")).json).toEqual({ body: ["The file is empty."] });
});

test("rejects files over 25 MB and stores nothing", async () => {
  const big = new Uint8Array(bulkLimits.bytes + 1).fill(97);
  expect((await upload(app, token, "kind=import-users", big)).status).toBe(413);
  const pieces = new ReadableStream({
    pull(controller) {
      controller.enqueue(big.subarray(0, 1_000_000));
    },
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "text/csv" };
  const init = { method: "POST", body: pieces, duplex: "half", headers };
  const sending = fetch(`${app.url}/v1/admin/bulk-runs?kind=import-users`, init as never);
  // The connection may end before the whole file has been sent.
  expect(await sending.then(({ status }) => status).catch(() => 413)).toBe(413);
  expect(await listStoredKeys(app.services.files, "bulk-runs")).toEqual([]);
});

test("keeps the file while the storage is unreachable, and checks it afterwards", async () => {
  const unavailable = new AppError("UNAVAILABLE", { retryAfterSeconds: 5 });
  vi.spyOn(app.services.files, "open").mockRejectedValueOnce(unavailable);
  const run = await checkFile(app, token, "kind=import-users", buildUsersCsv(1, "kept"));
  expect(run).toMatchObject({ state: "checking", faults: [] });
  await app.services.jobs.drain({ delayed: true });
  expect(await loadRun(app, run.id)).toMatchObject({ state: "ready", planned: 1 });
});

test("keeps the file if the run may have been stored when the connection to the database was lost", async () => {
  const lost = Object.assign(new Error("Connection terminated"), { code: "08006" });
  vi.spyOn(app.services.jobs, "add").mockRejectedValueOnce(lost);
  expect((await upload(app, token, "kind=import-users", buildUsersCsv(1, "lost"))).status).toBe(503);
  const [key = ""] = await listStoredKeys(app.services.files, "bulk-runs");
  expect(await app.services.files.stat(key)).not.toBeNull();
  await app.services.files.delete(key);
});

test("asks for a new run, not for a file, if the check of licences fails", async () => {
  const input = { kind: "EXTEND_LICENCES", addDays: 5, purchaseOrderNumber: "PO-1" };
  const { id } = await app.call("openBulkRun { id }", { input }, token);
  const options = JSON.stringify({ conditions: { expiringFrom: "not a date" } });
  await app.services.pool.query("update bulk_runs set options = $2 where id = $1", [id, options]);
  await app.services.jobs.drain();
  const { state, faults } = await loadRun(app, id);
  expect([state, faults]).toEqual(["refused", [expect.stringMatching(/internal error.* Try again with a new run\.$/)]]);
});

test("rejects wrong parameters with messages by field", async () => {
  const cases = [
    ["", "kind", "Kind of run is required."],
    ["kind=delete-users", "kind", expect.stringMatching(/one of import-users, import-licences, extend-/)],
    ["kind=import-users&kind=import-users", "kind", expect.stringContaining("must be one of")],
    ["kind=extend-licences", "expiryDate", "Give a new expiry date or a number of days."],
    ["kind=extend-licences&expiryDate=2030-01-01&addDays=3", "addDays", "Give a date or a number of days, not both."],
    ["kind=extend-licences&expiryDate=2030-02-30", "expiryDate", "Must be a date."],
    ["kind=extend-licences&addDays=0", "addDays", "Must be at least 1."],
    ["kind=extend-licences&addDays=3651", "addDays", "Must be at most 3650."],
    ["kind=extend-licences&addDays=1.5", "addDays", "Must be a whole number."],
  ] as const;
  for (const [query, field, message] of cases) {
    const { status, json } = await upload(app, token, query, "x");
    expect([query, status, json[field]]).toEqual([query, 400, expect.arrayContaining([message])]);
  }
});

test("checks every row without changing anything", async () => {
  const taken = await createUser(app);
  const csv = [
    buildUsersCsv(1, "dry").trim(),
    `Ada,Byron,\u202a${taken.email.toUpperCase()}\u200b,0400 000 000,1,1,A Street,Brisbane,QLD,4000,Australia`,
    "A,,nonsense,x,Admin,,A Street,Brisbane,Queensland,400,Australia",
    "Ada,Byron,ＤRY-1@import.example,0400 000 000,corporate,1,A Street,Brisbane,QLD,4000,Australia",
    "Ada,Byron,ragged@import.example",
  ].join("\n");
  const before = await em().count(User);
  const run = await checkFile(app, token, "kind=import-users&fileName=staff.csv", csv);
  expect(run).toMatchObject({ state: "ready", planned: 1, faulty: 4, encoding: "UTF-8", separator: "," });
  const rows = await loadRows(app, run.id);
  expect(rows[0]).toMatchObject({ rowNumber: 2, state: "planned", says: "Creates the regular user Adab Byron." });
  const faults = formatFaults(rows);
  for (const fault of [
    "3 Email: An account with this email address already exists.",
    "4 First Name: First name must have at least 2 characters.",
    "4 Last Name: Last name is required.",
    "4 Email: Invalid email address",
    "4 Phone: Invalid phone number.",
    "4 User type: Must be Regular or Corporate.",
    "4 Street number: Street number is required.",
    "4 Post Code: Invalid Australian post code.",
    "5 Email: Duplicate of row 2.",
    "6 Row: The row has 3 cells, but the header has 11.",
    "6 Phone: Mobile is required.",
  ])
    expect(faults).toContain(fault);
  expect(await em().count(User)).toBe(before);
});

test("creates confirmed users without sending an email, and records each in the audit log", async () => {
  const emails = await em().count(Email);
  // PostgreSQL's lower case of this address differs from the one of signing in. Spreadsheets leave out a first zero.
  const csv = `${buildUsersCsv(2, "plain")}Ada,Byron,İpek@import.example,0400 000 000,1,1,A Street,Darwin,Northern Territory,800,Australia\n`;
  const run = await checkFile(app, token, "kind=import-users&fileName=new.csv", csv);
  expect(await processRun(app, token, run.id)).toMatchObject({ state: "done", done: 3, failed: 0, progress: 100 });
  expect(await em().count(User, { signInEmail: "İpek@import.example".toLowerCase(), postCode: "0800" })).toBe(1);
  const [row] = await loadRows(app, run.id);
  expect(row).toMatchObject({ state: "done", says: "Created.", details: null });
  const user = await em().findOneOrFail(User, row?.userId ?? "", { populate: ["passwordHash"] });
  const fullAddress = "12 Eagle Street, Brisbane QLD 4000, Australia";
  const others = { memberType: 1, annualDeactivationLimit: 3, emailConfirmed: true };
  expect(user).toMatchObject({ signInEmail: "plain-1@import.example", fullAddress, ...others });
  expect(await em().count(Email)).toBe(emails);
  const [entry] = await listAuditEntries(app, user.id);
  expect(entry).toMatchObject({ action: "create-user", actorId: admin.id, userId: user.id });
  expect(JSON.stringify(entry)).not.toContain("passwordHash");
  const [started] = await listAuditEntries(app, run.id);
  const after = { kind: "import-users", planned: 3, faulty: 0, done: 0, failed: 0 };
  expect(started).toMatchObject({ action: "start-bulk-run", subjectName: "Import users: new.csv", after });
});

test("sends invitations only if the option is selected", async () => {
  const run = await checkFile(app, token, "kind=import-users&inviteByMail=true", buildUsersCsv(2, "invited"));
  await processRun(app, token, run.id);
  const emails = await em().find(Email, { to: { $like: "invited-%" } });
  expect(emails.map(({ subject }) => subject)).toEqual(Array(2).fill(expect.stringContaining("is ready")));
  expect(emails[0]?.text).toContain("/forgot-password/");
});

test("skips an email address that was registered after the check", async () => {
  const run = await checkFile(app, token, "kind=import-users", buildUsersCsv(2, "late"));
  const owner = await createUser(app, { email: "late-2@import.example" });
  expect(await processRun(app, token, run.id)).toMatchObject({ done: 1, failed: 1 });
  const rows = await loadRows(app, run.id);
  expect(rows[1]?.says).toBe("An account with this email address was created since the check.");
  expect(await em().count(User, { email: "late-2@import.example" })).toBe(1);
  expect((await em().findOneOrFail(User, owner.id)).firstName).toBe(owner.firstName);
});

test("a bulk run that is started twice runs once, under the name of the admin who started it", async () => {
  const run = await checkFile(app, token, "kind=import-users", buildUsersCsv(1, "twice"));
  expect(run.createdByName).toContain(admin.email);
  const starter = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
  const starterToken = await signInAs(app, starter);
  await Promise.all([processRun(app, starterToken, run.id), processRun(app, starterToken, run.id)]);
  await processRun(app, token, run.id);
  const starterFields = { actorId: starter.id, actorName: `Grace Hopper <${starter.email}>` };
  expect((await loadRun(app, run.id)).createdByName).toBe(starterFields.actorName);
  const users = await em().find(User, { email: "twice-1@import.example" });
  expect(users).toHaveLength(1);
  for (const id of [users[0]?.id ?? "", run.id]) expect(await listAuditEntries(app, id)).toMatchObject([starterFields]);
});

test("a bulk run changes nothing and removes the planned values when cancelled before the start", async () => {
  const run = await checkFile(app, token, "kind=import-users", buildUsersCsv(2, "cancelled"));
  await app.call("cancelBulkRun { id }", { id: run.id }, token);
  await app.services.jobs.drain();
  expect(await loadRun(app, run.id)).toMatchObject({ state: "cancelled", done: 0 });
  expect((await loadRows(app, run.id)).map(({ details }) => details)).toEqual([null, null]);
  await expect(start(run.id)).rejects.toThrow("This run can no longer be started.");
  expect(await em().count(User, { email: { $like: "cancelled-%" } })).toBe(0);
});

test("a bulk run stops if the admin who started it was archived or demoted or lost the role, and adds a note", async () => {
  const changes: [string, Partial<User>][] = [
    ["archived", { archivedAt: new Date() }],
    ["demoted", { memberType: 1 }],
    ["moved", { staffRoles: ["finance"] }],
  ];
  for (const [how, change] of changes) {
    const starter = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
    const { id } = await checkFile(app, token, "kind=import-users", buildUsersCsv(2, how));
    await start(id, await signInAs(app, starter));
    await em().nativeUpdate(User, starter.id, change);
    await app.services.jobs.drain();
    expect(await loadRun(app, id)).toMatchObject({
      state: "cancelled",
      done: 0,
      finishedAt: expect.any(Date),
      notes: ["The run was stopped because Grace Hopper, who started it, may no longer do bulk work."],
    });
    expect((await loadRows(app, id)).map(({ details }) => details)).toEqual([null, null]);
    expect(await em().count(User, { email: { $like: `${how}-%` } })).toBe(0);
    const entries = (await listAuditEntries(app, id)).filter(({ action }) => action === "cancel-bulk-run");
    expect(entries.map(({ actorName }) => actorName)).toEqual(["System"]);
  }
});

test("a bulk run is found by search, with rows filtered by text and errors", async () => {
  const csv = `${buildUsersCsv(12, "list")}Ada,Byron,=cmd|' /C calc'!A0,0400 000 000,1,1,A Street,Brisbane,QLD,4000,Australia\n`;
  const run = await checkFile(app, token, "kind=import-users&fileName=needle.csv", csv);
  const document = `query ($id: ID!) {
        bulkRuns(filter: { search: "needle" }) { total rows { id kind state fileName createdByName planned faulty } }
        bulkRun(id: $id) {
          progress
          all: rows(first: 2, offset: 10) { total rows { rowNumber label } }
          faulty: rows(filter: { onlyFaults: true }) { total rows { rowNumber state faults { column message } } }
          found: rows(filter: { search: "list-3@" }) { total }
        }
      }`;
  const { data } = await app.graphql(document, { id: run.id }, token);
  expect(data.bulkRuns).toMatchObject({ total: 1, rows: [{ id: run.id, planned: 12, faulty: 1 }] });
  expect(data.bulkRun).toMatchObject({
    progress: 100,
    all: { total: 13, rows: [{ rowNumber: 12 }, { rowNumber: 13 }] },
    faulty: { total: 1, rows: [{ rowNumber: 14, faults: [{ column: "Email" }] }] },
    found: { total: 1 },
  });
  const result = await app.rest("GET", `/v1/admin/bulk-runs/${run.id}/result`, { token });
  expect(result.headers.get("content-disposition")).toMatch(/^attachment; filename="Bulk-work-import-users-\d{4}-/);
  const lines = result.text.trim().split("\r\n");
  expect(lines).toHaveLength(14);
  expect(lines[0]).toContain("Row,Subject,Outcome,Details,User ID,Licence ID,Support code");
  expect(lines[1]).toMatch(/^2,list-1@import\.example,Planned,/);
  for (const id of ["00000000-0000-4000-8000-000000000000", "x"])
    expect((await app.rest("GET", `/v1/admin/bulk-runs/${id}/result`, { token })).status).toBe(404);
  const exported = { action: "export-report", subjectName: "Bulk work: Import users", actorId: admin.id };
  expect(await em().count(AuditEntry, exported)).toBe(1);
  expect(lines[13]).toMatch(/^14,'=cmd\|' \/C calc'!A0,Skipped,Email: Invalid email address/);
});

test("removes rows after 30 days and cancels runs not started within 7 days or stuck for 30", async () => {
  const stuck = await checkFile(app, token, "kind=import-users", buildUsersCsv(1, "stuck"));
  await em().nativeUpdate(BulkRun, stuck.id, { state: "running" });
  const finished = await checkFile(app, token, "kind=import-users", buildUsersCsv(1, "tidied"));
  const waiting = await checkFile(app, token, "kind=import-users", buildUsersCsv(1, "waiting"));
  const input = { kind: "EXTEND_LICENCES", addDays: 5, users: { search: "tidied", includeArchived: false } };
  const found = await app.call("openBulkRun { id }", { input }, token);
  await processRun(app, token, finished.id);
  app.clock.setOffset(8 * DAY);
  await cleanUpBulkRuns.run(app.context());
  await app.services.jobs.drain();
  expect(await loadRun(app, waiting.id)).toMatchObject({ state: "cancelled" });
  expect((await loadRows(app, waiting.id))[0]?.details).toBeNull();
  expect(await loadRows(app, finished.id)).toHaveLength(1);
  expect(await loadRun(app, stuck.id)).toMatchObject({ state: "running" });
  app.clock.setOffset(31 * DAY);
  while ((await cleanUpBulkRuns.run(app.context())) > 0);
  await app.services.jobs.drain();
  expect(await loadRun(app, stuck.id)).toMatchObject({
    state: "cancelled",
    finishedAt: expect.any(Date),
    notes: ["The run was stopped because it wasn't finished within 30 days."],
  });
  const cancelled = await em().find(AuditEntry, { action: "cancel-bulk-run", subjectId: [stuck.id, waiting.id] });
  expect(cancelled).toMatchObject([{ subjectId: stuck.id, actorName: "System", after: { planned: 1, done: 0 } }]);
  while ((await cleanUpBulkRuns.run(app.context())) > 0);
  expect(await em().count(BulkRow)).toBe(0);
  expect(await loadRun(app, finished.id)).toMatchObject({ state: "done", done: 1, rowsRemovedAt: expect.any(Date) });
  expect((await loadRun(app, found.id)).options.users).not.toHaveProperty("search");
  app.clock.setOffset(0);
});

test("includes a user's rows in their data export and clears them when the account is deleted", async () => {
  const { user, token: own } = await createSignedIn(app);
  const licence = await createLicence(app, user);
  const run = await checkFile(app, token, "kind=extend-licences&addDays=5", `code\n${licence.supportCode}\n`);
  const csv = buildUsersCsv(1).replace("import-1@import.example", user.email);
  const users = await checkFile(app, token, "kind=import-users", csv);
  expect((await app.rest("GET", "/v1/core/accounts/my-data", { token: own })).json.bulkWork).toHaveLength(2);
  await deleteAccount(app, own);
  const rows = [...(await loadRows(app, run.id)), ...(await loadRows(app, users.id))];
  const expected = Array(2).fill({ label: "Erased", says: "", faults: [], details: null });
  expect(rows.map(({ label, says, faults, details }) => ({ label, says, faults, details }))).toEqual(expected);
});
