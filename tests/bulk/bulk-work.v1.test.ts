import { beforeAll, describe, expect, test } from "vitest";
import { bulkLimits } from "#schema/bulk.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { User } from "#api/features/accounts/user.entity.ts";
import { AuditEntry } from "#api/features/audit/audit-entry.entity.ts";
import { BulkRow } from "#api/features/bulk/bulk-row.entity.ts";
import { tidyBulkRuns } from "#api/features/bulk/run-bulk.ts";
import { Licence } from "#api/features/licences/licence.entity.ts";
import { LicenceEvent } from "#api/features/licences/licence-event.entity.ts";
import { Mail } from "#api/features/mails/mail.entity.ts";
import { carriedOut, checkedRun, faultsOf, rowsOf, runOf, upload, usersCsv } from "#tests/factories/bulk.ts";
import { createLicence, createRevokedLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let admin: User;
let token = "";

beforeAll(async () => {
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
});

const em = () => app.context().em;
const auditOf = (subjectId: string) => em().find(AuditEntry, { subjectId });

describe("the door for files", () => {
  test("takes text alone, of at most 25 MB, from admins", async () => {
    expect((await upload(app, token, "kind=import-users", "{}", "application/json")).status).toBe(415);
    expect((await upload(app, token, "kind=import-users", "x", "application/zip")).status).toBe(415);
    expect((await upload(app, "", "kind=import-users", "x")).status).toBe(401);
    const regular = await signInAs(app, await createUser(app));
    expect((await upload(app, regular, "kind=import-users", "x")).status).toBe(403);
  });

  test("refuses what says or shows that it is too big, and keeps nothing of it", async () => {
    const big = new Uint8Array(bulkLimits.bytes + 1).fill(97);
    expect((await upload(app, token, "kind=import-users", big)).status).toBe(413);
    const pieces = new ReadableStream({
      pull(controller) {
        controller.enqueue(big.subarray(0, 1_000_000));
      },
    });
    const answer = await fetch(`${app.url}/v1/admin/bulk-runs?kind=import-users`, {
      method: "POST",
      body: pieces,
      duplex: "half",
      headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
    } as never).then(
      ({ status }) => status,
      // The connection may end before the whole of it was sent.
      () => 413,
    );
    expect(answer).toBe(413);
    const stored = [];
    for await (const { key } of app.services.files.list("bulk-runs")) stored.push(key);
    expect(stored).toEqual([]);
  });

  test.each([
    ["", "kind", "Kind of run is required."],
    ["kind=delete-users", "kind", "Kind of run is required."],
    ["kind=extend-licences", "expiryDate", "Give a new expiry date or a number of days."],
    ["kind=extend-licences&expiryDate=2030-01-01&addDays=3", "addDays", "Give a date or a number of days, not both."],
    ["kind=extend-licences&expiryDate=2030-02-30", "expiryDate", "Must be a date."],
    ["kind=extend-licences&addDays=0", "addDays", "Must be at least 1."],
    ["kind=extend-licences&addDays=3651", "addDays", "Must be at most 3650."],
    ["kind=extend-licences&addDays=1.5", "addDays", "Must be a whole number."],
  ])("refuses ?%s in words", async (query, field, message) => {
    const { status, json } = await upload(app, token, query, "x");
    expect(status).toBe(400);
    expect(json[field]).toContain(message);
  });

  test("refuses an empty file at once", async () => {
    expect((await upload(app, token, "kind=import-users", "")).json).toEqual({ body: ["The file is empty."] });
  });
});

describe("importing users", () => {
  test("the dry run says row by row what would happen and changes nothing", async () => {
    const taken = await createUser(app);
    const csv = [
      usersCsv(1, "dry").trim(),
      `Ada,Byron,${taken.email.toUpperCase()},0400 000 000,1,1,A Street,Brisbane,QLD,4000,Australia`,
      "A,,nonsense,x,Admin,,A Street,Brisbane,Queensland,400,Australia",
      "Ada,Byron,DRY-1@import.example,0400 000 000,corporate,1,A Street,Brisbane,QLD,4000,Australia",
      "Ada,Byron,ragged@import.example",
    ].join("\n");
    const before = await em().count(User);
    const run = await checkedRun(app, token, "kind=import-users&fileName=staff.csv", csv);
    expect(run).toMatchObject({ state: "ready", planned: 1, faulty: 4, encoding: "UTF-8", separator: "," });
    const rows = await rowsOf(app, run.id);
    expect(rows[0]).toMatchObject({ rowNumber: 2, state: "planned", says: "Creates the regular user Adab Byron." });
    const faults = faultsOf(rows);
    for (const fault of [
      "3 Email: Has an account already.",
      "4 First Name: First name must have at least 2 characters.",
      "4 Last Name: Last name is required.",
      "4 Email: Invalid email address",
      "4 Phone: Invalid phone number.",
      "4 User Type: Must be Regular or Corporate.",
      "4 Street Number: Street number is required.",
      "4 Post Code: Invalid Australian post code.",
      "5 Email: Is in row 2 already.",
      "6 Row: Has 3 cells where the header has 11.",
      "6 Phone: Mobile is required.",
    ])
      expect(faults).toContain(fault);
    expect(await em().count(User)).toBe(before);
  });

  test("creates confirmed users without a password or a mail, each with its entry in the audit log", async () => {
    const mails = await em().count(Mail);
    const run = await checkedRun(app, token, "kind=import-users&fileName=new.csv", usersCsv(3, "plain"));
    expect(await carriedOut(app, token, run.id)).toMatchObject({ state: "done", done: 3, failed: 0, progress: 100 });
    const [row] = await rowsOf(app, run.id);
    expect(row).toMatchObject({ state: "done", says: "Created.", details: null });
    const user = await em().findOneOrFail(User, row?.userId ?? "", { populate: ["passwordHash"] });
    expect(user).toMatchObject({
      email: "plain-1@import.example",
      signInEmail: "plain-1@import.example",
      memberType: 1,
      postCode: "4000",
      fullAddress: "12 Eagle Street, Brisbane QLD 4000, Australia",
      annualDeactivationLimit: 3,
      emailConfirmed: true,
    });
    expect(await em().count(Mail)).toBe(mails);
    const [entry] = await auditOf(user.id);
    expect(entry).toMatchObject({ action: "create-user", actorId: admin.id, userId: user.id });
    expect(JSON.stringify(entry)).not.toContain("passwordHash");
    const [started] = await auditOf(run.id);
    expect(started).toMatchObject({
      action: "start-bulk-run",
      subjectType: "bulk-run",
      subjectName: "Import users: new.csv",
      after: { kind: "import-users", planned: 3, faulty: 0, done: 0, failed: 0 },
    });
    const signIn = await app.rest("POST", "/v1/core/auth/token", {
      body: { ClientId: "portal", GrantType: "password", UserName: user.email, Password: testPassword },
    });
    expect(signIn.status).toBe(400);
  });

  test("invites by mail only when that was ticked", async () => {
    const run = await checkedRun(app, token, "kind=import-users&inviteByMail=true", usersCsv(2, "invited"));
    await carriedOut(app, token, run.id);
    const mails = await em().find(Mail, { to: { $like: "invited-%" } });
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill(expect.stringContaining("is ready")));
    expect(mails[0]?.text).toContain("/forgot-password/");
  });

  test("an address that was taken since the check is left to its owner", async () => {
    const run = await checkedRun(app, token, "kind=import-users", usersCsv(2, "late"));
    const owner = await createUser(app, { email: "late-2@import.example" });
    expect(await carriedOut(app, token, run.id)).toMatchObject({ done: 1, failed: 1 });
    const rows = await rowsOf(app, run.id);
    expect(rows[1]?.says).toBe("An account with this address was made since the check.");
    expect(await em().count(User, { email: "late-2@import.example" })).toBe(1);
    expect((await em().findOneOrFail(User, owner.id)).firstName).toBe(owner.firstName);
  });
});

describe("importing licences", () => {
  const header =
    "Email,Product Level,Licence Type,Licence Category,Activation Type,Expiry Date,Number of Users,Number of Machines,Heartbeat Interval,Project Term,PO Number,Allow on VMs";

  test("adds licences with codes, support codes and events of their own", async () => {
    const user = await createUser(app);
    const csv = `${header}\n${user.email},Professional,4,none,concurrent,30/06/2030,5,10,30,Stage 2,PO-7,yes\n${user.email},2,1,1,0,2030-06-30,,,,,,\n`;
    const run = await checkedRun(app, token, "kind=import-licences", csv);
    expect(faultsOf(await rowsOf(app, run.id))).toEqual([]);
    expect((await rowsOf(app, run.id))[0]?.says).toBe(
      "Adds Professional, Project, until 30/06/2030; 5 users, 10 machines.",
    );
    await carriedOut(app, token, run.id);
    const [first, second] = await rowsOf(app, run.id);
    const licence = await em().findOneOrFail(Licence, first?.licenceId ?? "");
    expect(licence).toMatchObject({
      user: { id: user.id },
      supportCode: first?.supportCode,
      productLevel: 2,
      licenceType: 4,
      licenceActivationType: 2,
      numberOfUsers: 5,
      numberOfMachines: 10,
      floatingHeartBeatIntervalMinutes: 30,
      projectTerm: "Stage 2",
      purchaseOrderNumber: "PO-7",
      allowOnVms: true,
      expiresAt: new Date("2030-06-30T23:59:59.999Z"),
    });
    expect(licence.licenceCode).not.toBe((await em().findOneOrFail(Licence, second?.licenceId ?? "")).licenceCode);
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "issue" })).toBe(1);
    const [entry] = await auditOf(licence.id);
    expect(entry).toMatchObject({ action: "add-licence", subjectName: licence.supportCode, userId: user.id });
    expect(JSON.stringify(entry)).not.toContain(licence.licenceCode);
  });

  test("tells every bound and every user who can't have one", async () => {
    const user = await createUser(app);
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    const csv = [
      header,
      `${user.email},Gold,7,,1,31/02/2030,0,1001,0,x,,maybe`,
      `${user.email},2,4,1,2,2030-01-01,1000,1000,61,,,`,
      `nobody@import.example,2,1,1,0,2030-01-01,1,1,,,,`,
      `${archived.email},2,1,1,0,2030-01-01,1,1,,,,`,
      `${admin.email},2,1,1,0,2030-01-01,1,1,,,,`,
    ].join("\n");
    const run = await checkedRun(app, token, "kind=import-licences", csv);
    expect(faultsOf(await rowsOf(app, run.id)).toSorted()).toEqual(
      [
        "2 Product Level: Must be a product level, such as 2 or Professional.",
        "2 Licence Type: Must be a licence type, such as 1 or Single User.",
        "2 Licence Category: Licence category is required.",
        "2 Licence Activation Type: Must be Standard or Concurrent.",
        "2 Expiry Date: Must be a date.",
        "2 Number of Users: Must be at least 1.",
        "2 Number of Machines: Must be at most 1000.",
        "2 Project Term: Only for the licence type Project.",
        "2 Allow on VMs: Must be Yes or No.",
        "3 Heartbeat Interval: Must be at most 60.",
        "3 Project Term: Project term is required.",
        "4 Email: No user signs in with this address.",
        "5 Email: This user is archived.",
        "6 Email: Admins have no licences.",
      ].toSorted(),
    );
    const { errors } = await app.graphql("mutation ($id: ID!) { startBulkRun(id: $id) { id } }", { id: run.id }, token);
    expect(errors?.[0]).toMatchObject({ message: "There is nothing to do: every row has a fault." });
  });
});

describe("extending licences", () => {
  test("by days: from their own end, or from now where that has passed", async () => {
    const user = await createUser(app);
    const now = app.clock.now();
    const running = await createLicence(app, user, { expiresAt: after(now, 10 * DAY) });
    const expired = await createLicence(app, user, { expiresAt: after(now, -10 * DAY) });
    const gone = await createRevokedLicence(app, user);
    const paid = await createLicence(app, user);
    await createSubscription(app, paid);
    const list = [
      running.supportCode,
      expired.licenceCode.toLowerCase(),
      running.licenceCode,
      gone.supportCode,
      paid.supportCode,
      "S-00000000",
      "what?",
    ].join("\n");
    const run = await checkedRun(app, token, "kind=extend-licences&addDays=30", list);
    expect(run.notes).toEqual(["The file has no header, so its first column is read as codes."]);
    expect(faultsOf(await rowsOf(app, run.id))).toEqual([
      "3 Support Code: Is in row 1 already.",
      "4 Support Code: Has been deactivated, which is final.",
      "5 Support Code: Follows a running subscription, which would have to end first.",
      "6 Support Code: No licence has this support code.",
      "7 Support Code: Is neither a support code nor a licence code.",
    ]);
    await carriedOut(app, token, run.id);
    const extended = await em().findOneOrFail(Licence, running.id);
    expect(extended.expiresAt).toEqual(after(running.expiresAt, 30 * DAY));
    const revived = await em().findOneOrFail(Licence, expired.id);
    expect(revived.expiresAt.getTime()).toBeGreaterThanOrEqual(after(now, 30 * DAY).getTime());
    expect(await em().count(LicenceEvent, { licenceId: running.id, kind: "extend" })).toBe(1);
    const [entry] = await auditOf(running.id);
    expect(entry).toMatchObject({
      action: "update-licence",
      before: { expiresAt: running.expiresAt.toISOString() },
      after: { expiresAt: extended.expiresAt.toISOString() },
    });
  });

  test("to a date, of the licences that meet conditions; one that was changed since the check is left", async () => {
    const user = await createUser(app);
    const now = app.clock.now();
    const expiresAt = after(now, 5 * DAY);
    const first = await createLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt });
    const second = await createLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt });
    const later = new Date("2099-01-01T00:00:00Z");
    await createLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt: later });
    await createLicence(app, user, { purchaseOrderNumber: "PO-OTHER", expiresAt });
    await createRevokedLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt });
    const { data } = await app.graphql(
      `mutation ($input: BulkFilterRunInput!) { openBulkRun(input: $input) { id state terms } }`,
      { input: { kind: "extend-licences", expiryDate: "2090-12-31", purchaseOrderNumber: "PO-BULK" } },
      token,
    );
    expect(data.openBulkRun.terms).toEqual(["New expiry date 31/12/2090", "PO number PO-BULK"]);
    await app.services.jobs.drain();
    const { id } = data.openBulkRun;
    expect(await runOf(app, id)).toMatchObject({ state: "ready", planned: 2, faulty: 1 });
    expect(faultsOf(await rowsOf(app, id))).toEqual([
      expect.stringMatching(/^\d Row: Runs until 01\/01\/2099 already\.$/),
    ]);
    await em().nativeUpdate(Licence, second.id, { expiresAt: after(expiresAt, DAY) });
    expect(await carriedOut(app, token, id)).toMatchObject({ done: 1, failed: 1 });
    expect((await em().findOneOrFail(Licence, first.id)).expiresAt).toEqual(new Date("2090-12-31T23:59:59.999Z"));
    expect((await em().findOneOrFail(Licence, second.id)).expiresAt).toEqual(after(expiresAt, DAY));
  });

  test("conditions are needed, and must be met", async () => {
    const open = (input: object) =>
      app.graphql("mutation ($input: BulkFilterRunInput!) { openBulkRun(input: $input) { id } }", { input }, token);
    const none = await open({ kind: "deactivate-licences" });
    expect(none.errors?.[0]?.extensions.fields).toEqual({ productLevel: ["Give at least one condition."] });
    const users = await open({ kind: "import-users", productLevel: 2 });
    expect(users.errors?.[0]?.extensions.fields).toMatchObject({
      kind: ["Only for extending and deactivating licences."],
    });
    const { data } = await open({ kind: "deactivate-licences", purchaseOrderNumber: "PO-NOWHERE" });
    await app.services.jobs.drain();
    expect(await runOf(app, data.openBulkRun.id)).toMatchObject({
      state: "refused",
      faults: ["No licence meets these conditions."],
    });
  });
});

test("deactivating asks for the word, and ends the licences for good", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const run = await checkedRun(app, token, "kind=deactivate-licences", `code\n${licence.supportCode}\n`);
  const start = (word: string | null) =>
    app.graphql(
      "mutation ($id: ID!, $word: String) { startBulkRun(id: $id, confirmation: $word) { id } }",
      { id: run.id, word },
      token,
    );
  for (const word of [null, "", "deactivate", "yes"])
    expect((await start(word)).errors?.[0]?.extensions.fields).toEqual({
      confirmation: ["Type DEACTIVATE to go on."],
    });
  await carriedOut(app, token, run.id, "DEACTIVATE");
  expect((await em().findOneOrFail(Licence, licence.id)).revokedAt).not.toBeNull();
  expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "revoke" })).toBe(1);
  expect((await auditOf(licence.id))[0]).toMatchObject({ action: "deactivate-licence" });
});

describe("a run", () => {
  test("started twice runs once, and is written down once", async () => {
    const run = await checkedRun(app, token, "kind=import-users", usersCsv(1, "twice"));
    await Promise.all([carriedOut(app, token, run.id), carriedOut(app, token, run.id)]);
    await carriedOut(app, token, run.id);
    expect(await em().count(User, { email: "twice-1@import.example" })).toBe(1);
    expect(await auditOf(run.id)).toHaveLength(1);
  });

  test("cancelled before it began does nothing, and forgets what it would have written", async () => {
    const run = await checkedRun(app, token, "kind=import-users", usersCsv(2, "cancelled"));
    await app.graphql("mutation ($id: ID!) { cancelBulkRun(id: $id) { id } }", { id: run.id }, token);
    await app.services.jobs.drain();
    expect(await runOf(app, run.id)).toMatchObject({ state: "cancelled", done: 0 });
    expect((await rowsOf(app, run.id)).map(({ details }) => details)).toEqual([null, null]);
    const again = await app.graphql("mutation ($id: ID!) { startBulkRun(id: $id) { id } }", { id: run.id }, token);
    expect(again.errors?.[0]?.message).toBe("This run can't be started any more.");
    expect(await em().count(User, { email: { $like: "cancelled-%" } })).toBe(0);
  });

  test("is found in the list, with its rows searched and narrowed to faults", async () => {
    const csv = `${usersCsv(12, "list")}Ada,Byron,=cmd|' /C calc'!A0,0400 000 000,1,1,A Street,Brisbane,QLD,4000,Australia\n`;
    const run = await checkedRun(app, token, "kind=import-users&fileName=needle.csv", csv);
    const { data } = await app.graphql(
      `query ($id: ID!) {
        bulkRuns(filter: { search: "needle" }) { total rows { id kind state fileName createdByName planned faulty } }
        bulkRun(id: $id) {
          progress
          all: rows(filter: { offset: 10, limit: 2 }) { total rows { rowNumber label } }
          faulty: rows(filter: { onlyFaults: true }) { total rows { rowNumber state faults { column message } } }
          found: rows(filter: { search: "list-3@" }) { total }
        }
      }`,
      { id: run.id },
      token,
    );
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
    expect(lines[0]).toContain("Row,Subject,Outcome,Details,User Id,Licence Id,Support Code");
    expect(lines[1]).toMatch(/^2,list-1@import\.example,Planned,/);
    expect(lines[13]).toMatch(/^14,'=cmd\|' \/C calc'!A0,Left out,Email: Invalid email address/);
  });

  test("unknown, malformed and absent ids are the same 404", async () => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "x"]) {
      const { errors } = await app.graphql("query ($id: ID!) { bulkRun(id: $id) { id } }", { id }, token);
      expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
      expect((await app.rest("GET", `/v1/admin/bulk-runs/${id}/result`, { token })).status).toBe(404);
    }
  });
});

test("rows go after 30 days, and a checked run that nobody starts is cancelled after 7", async () => {
  const kept = await checkedRun(app, token, "kind=import-users", usersCsv(1, "tidied"));
  const later = await checkedRun(app, token, "kind=import-users", usersCsv(1, "waiting"));
  await carriedOut(app, token, kept.id);
  app.clock.setOffset(8 * DAY);
  await tidyBulkRuns.run(app.context());
  await app.services.jobs.drain();
  expect(await runOf(app, later.id)).toMatchObject({ state: "cancelled" });
  expect((await rowsOf(app, later.id))[0]?.details).toBeNull();
  expect(await rowsOf(app, kept.id)).toHaveLength(1);
  app.clock.setOffset(31 * DAY);
  while ((await tidyBulkRuns.run(app.context())) > 0);
  expect(await em().count(BulkRow)).toBe(0);
  expect(await runOf(app, kept.id)).toMatchObject({ state: "done", done: 1, rowsRemovedAt: expect.any(Date) });
  app.clock.setOffset(0);
});

test("a person's rows are in their data, and are emptied when the account is deleted", async () => {
  const user = await createUser(app);
  const own = await signInAs(app, user);
  const licence = await createLicence(app, user);
  const run = await checkedRun(app, token, "kind=extend-licences&addDays=5", `code\n${licence.supportCode}\n`);
  const users = await checkedRun(
    app,
    token,
    "kind=import-users",
    usersCsv(1).replace("import-1@import.example", user.email),
  );
  const data = await app.rest("GET", "/v1/core/accounts/my-data", { token: own });
  expect(data.json.bulkWork).toHaveLength(2);
  await app.graphql(
    "mutation ($input: DeleteMyAccountInput!) { deleteMyAccount(input: $input) }",
    { input: { password: testPassword } },
    own,
  );
  const rows = [...(await rowsOf(app, run.id)), ...(await rowsOf(app, users.id))];
  expect(rows.map(({ label, says, faults, details }) => ({ label, says, faults, details }))).toEqual(
    Array(2).fill({ label: "Erased", says: "", faults: [], details: null }),
  );
});
