import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { processRun, checkFile, formatFaults, loadRows, loadRun, buildUsersCsv } from "#tests/factories/bulk.ts";
import { createLease } from "#tests/factories/lease.ts";
import {
  createConcurrentLicence,
  createDevice,
  createLicence,
  createRevokedLicence,
  createSubscription,
} from "#tests/factories/licence.ts";
import { createSignedInAdmin, createUser } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user: admin, token } = await createSignedInAdmin(app);

const em = () => app.context().em;
const openRun = (input: object) => app.call("openBulkRun { id terms }", { input }, token);
const start = (id: string, confirmation?: string | null) =>
  app.call("startBulkRun { id }", { id, confirmation }, token);

const header =
  "Email,Product level,Licence type,Licence category,Activation type,Expiry Date,Number of users,Number of machines,Heartbeat interval,Project term,PO number,Allow on VMs";

test("adds licences with their own licence codes, support codes and events", async () => {
  const user = await createUser(app);
  const csv = `${header}\n${user.email},Professional,4,none,concurrent,30/06/2030,5,10,30,Stage 2,PO-7,yes\n${user.email}\u200b,2,1,1,0,2030-06-30,,,,,,\n`;
  const run = await checkFile(app, token, "kind=import-licences", csv);
  expect(formatFaults(await loadRows(app, run.id))).toEqual([]);
  const message = "Adds Professional, Project, until 30/06/2030; 5 users, 10 machines.";
  expect((await loadRows(app, run.id))[0]?.says).toBe(message);
  await processRun(app, token, run.id);
  const [first, second] = await loadRows(app, run.id);
  const licence = await em().findOneOrFail(Licence, first?.licenceId ?? "");
  const kind = { productLevel: 2, licenceType: 4, licenceActivationType: 2, projectTerm: "Stage 2" };
  const seats = { numberOfUsers: 5, numberOfMachines: 10, floatingHeartBeatIntervalMinutes: 30, allowOnVms: true };
  const expiresAt = new Date("2030-06-30T23:59:59.999Z");
  expect(licence).toMatchObject({ user: { id: user.id }, supportCode: first?.supportCode, ...kind, ...seats });
  expect(licence).toMatchObject({ purchaseOrderNumber: "PO-7", expiresAt });
  expect(licence.licenceCode).not.toBe((await em().findOneOrFail(Licence, second?.licenceId ?? "")).licenceCode);
  expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "issue" })).toBe(1);
  const [entry] = await listAuditEntries(app, licence.id);
  expect(entry).toMatchObject({ action: "add-licence", subjectName: licence.supportCode, userId: user.id });
  expect(JSON.stringify(entry)).not.toContain(licence.licenceCode);
});

test("adds the same licences of one file once, also if two runs of it were checked before either was started", async () => {
  const user = await createUser(app);
  const row = `${user.email},2,1,1,0,30/06/2030,1,2,,,PO-8,`;
  const csv = `${header}\n${row}\n${row}\n`;
  const checkIt = () => checkFile(app, token, "kind=import-licences", csv);
  const [first, second] = [await checkIt(), await checkIt()];
  expect(await processRun(app, token, first.id)).toMatchObject({ done: 2, failed: 0 });
  expect(await processRun(app, token, second.id)).toMatchObject({ done: 0, failed: 2 });
  const third = await checkIt();
  expect(third).toMatchObject({ planned: 0, faulty: 2 });
  const expected = /^This user already has this licence, S-\w{8}\./;
  expect((await loadRows(app, third.id))[0]?.faults[0]?.message).toMatch(expected);
  expect(await em().count(Licence, { user: user.id })).toBe(2);
});

test("reports every invalid value and every user who can't have a licence", async () => {
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
  const run = await checkFile(app, token, "kind=import-licences", csv);
  expect(formatFaults(await loadRows(app, run.id)).toSorted()).toEqual(
    [
      "2 Product level: Must be a product level, such as 2 or Professional.",
      "2 Licence type: Must be a licence type, such as 1 or Single User.",
      "2 Licence category: Licence category is required.",
      "2 Licence activation type: Must be Standard or Concurrent.",
      "2 Expiry Date: Must be a date.",
      "2 Number of users: Must be at least 1.",
      "2 Number of machines: Must be at most 1000.",
      "2 Project term: Only for the licence type Project.",
      "2 Allow on VMs: Must be Yes or No.",
      "3 Heartbeat interval: Must be at most 60.",
      "3 Project term: Project term is required.",
      "4 Email: No user signs in with this email address.",
      "5 Email: This user is archived.",
      "6 Email: Admins can't have licences.",
    ].toSorted(),
  );
  await expect(start(run.id)).rejects.toThrow("Every row has errors, so there is nothing to process.");
});

test("adds no licence for a user who became an admin or was archived after the check", async () => {
  const promoted = await createUser(app);
  const archived = await createUser(app);
  // Without the separators of the empty cells, as Excel writes some rows.
  const csv = [promoted, archived].map(({ email }) => `${email},2,1,1,0,2030-06-30`).join("\n");
  const run = await checkFile(app, token, "kind=import-licences", `${header}\n${csv}\n`);
  await em().nativeUpdate(User, promoted.id, { memberType: 3 });
  await em().nativeUpdate(User, archived.id, { archivedAt: app.clock.now() });
  expect(await processRun(app, token, run.id)).toMatchObject({ done: 0, failed: 2 });
  expect((await loadRows(app, run.id)).map(({ says }) => says)).toEqual([
    "Changed since the check: Admins can't have licences.",
    "Changed since the check: This user is archived.",
  ]);
  expect(await em().count(Licence, { user: { $in: [promoted.id, archived.id] } })).toBe(0);
});

test("adds days to the expiry date, or to today if the licence has expired", async () => {
  const user = await createUser(app);
  const now = app.clock.now();
  const running = await createLicence(app, user, { expiresAt: addMilliseconds(now, 10 * DAY) });
  const expired = await createLicence(app, user, { expiresAt: addMilliseconds(now, -10 * DAY) });
  const gone = await createRevokedLicence(app, user);
  const paid = await createLicence(app, user);
  await createSubscription(app, paid);
  const list = [running.supportCode, expired.licenceCode.toLowerCase(), running.licenceCode, gone.supportCode];
  const csv = [...list, paid.supportCode, "S-00000000", "what?"].join("\n");
  const run = await checkFile(app, token, "kind=extend-licences&addDays=30", csv);
  expect(run.notes).toEqual(["The file has no header, so its first column was read as codes."]);
  expect(formatFaults(await loadRows(app, run.id))).toEqual([
    "3 Support code: Duplicate of row 1.",
    "4 Support code: This licence has already been deactivated.",
    "5 Support code: This licence belongs to an active subscription. End the subscription first.",
    "6 Support code: No licence has this support code.",
    "7 Support code: This is neither a support code nor a licence code.",
  ]);
  await processRun(app, token, run.id);
  const extended = await em().findOneOrFail(Licence, running.id);
  expect(extended.expiresAt).toEqual(addMilliseconds(running.expiresAt, 30 * DAY));
  const revived = await em().findOneOrFail(Licence, expired.id);
  expect(revived.expiresAt.getTime()).toBeGreaterThanOrEqual(addMilliseconds(now, 30 * DAY).getTime());
  expect(await em().count(LicenceEvent, { licenceId: running.id, kind: "extend" })).toBe(1);
  const [entry] = await listAuditEntries(app, running.id);
  expect(entry).toMatchObject({
    action: "update-licence",
    before: { expiresAt: running.expiresAt.toISOString() },
    after: { expiresAt: extended.expiresAt.toISOString() },
  });
});

test("extends matching licences to a date and skips a licence that changed after the check", async () => {
  const user = await createUser(app);
  const expiresAt = addMilliseconds(app.clock.now(), 5 * DAY);
  const first = await createLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt });
  const second = await createLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt });
  await createLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt: new Date("2099-01-01T00:00:00Z") });
  await createLicence(app, user, { purchaseOrderNumber: "PO-OTHER", expiresAt });
  await createRevokedLicence(app, user, { purchaseOrderNumber: "PO-BULK", expiresAt });
  const conditions = { kind: "EXTEND_LICENCES", expiryDate: "2090-12-31", purchaseOrderNumber: "PO-BULK" };
  const { id, terms } = await openRun(conditions);
  expect(terms).toEqual(["New expiry date 31/12/2090", "PO number PO-BULK"]);
  await app.services.jobs.drain();
  expect(await loadRun(app, id)).toMatchObject({ state: "ready", planned: 2, faulty: 1 });
  expect(formatFaults(await loadRows(app, id))).toEqual([
    expect.stringMatching(/^\d Row: This licence already runs until 01\/01\/2099\.$/),
  ]);
  await em().nativeUpdate(Licence, second.id, { expiresAt: addMilliseconds(expiresAt, DAY) });
  expect(await processRun(app, token, id)).toMatchObject({ done: 1, failed: 1 });
  expect((await em().findOneOrFail(Licence, first.id)).expiresAt).toEqual(new Date("2090-12-31T23:59:59.999Z"));
  expect((await em().findOneOrFail(Licence, second.id)).expiresAt).toEqual(addMilliseconds(expiresAt, DAY));
});

test("rejects a run without conditions or without matching licences", async () => {
  await expect(openRun({ kind: "DEACTIVATE_LICENCES" })).rejects.toMatchObject({
    fields: { productLevel: ["Give at least one condition."] },
  });
  await expect(openRun({ kind: "IMPORT_USERS", productLevel: "PROFESSIONAL" })).rejects.toMatchObject({
    fields: { kind: ["Only for extending and deactivating licences."] },
  });
  const { id } = await openRun({ kind: "DEACTIVATE_LICENCES", purchaseOrderNumber: "PO-NOWHERE" });
  await app.services.jobs.drain();
  expect(await loadRun(app, id)).toMatchObject({ state: "refused", faults: ["No licence meets these conditions."] });
});

test("deactivates licences permanently after the confirmation word", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const csv = `Licence code\n${licence.licenceCode}\n${licence.licenceCode}\n`;
  const run = await checkFile(app, token, "kind=deactivate-licences", csv);
  expect(formatFaults(await loadRows(app, run.id))).toEqual(["3 Licence code: Duplicate of row 2."]);
  const fields = { confirmation: [expect.any(String)] };
  for (const word of [null, "", "deactivate", "yes"])
    await expect(start(run.id, word)).rejects.toMatchObject({ fields });
  await processRun(app, token, run.id, "DEACTIVATE");
  expect((await em().findOneOrFail(Licence, licence.id)).revokedAt).not.toBeNull();
  expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "revoke" })).toBe(1);
  expect((await listAuditEntries(app, licence.id))[0]).toMatchObject({ action: "deactivate-licence" });
  expect(await listEmailsTo(app, user.email)).toMatchObject([
    { subject: expect.stringContaining("was deactivated"), text: expect.stringContaining(licence.supportCode) },
  ]);
});

test("locks seats in order of ID when deactivating, as heartbeats do", async () => {
  const licence = await createConcurrentLicence(app, await createUser(app));
  const [low = "", high = ""] = [randomUUID(), randomUUID()].toSorted();
  // The row with the higher ID comes first in the table.
  for (const id of [high, low]) await createLease(app, await createDevice(app, licence), { id });
  const run = await checkFile(app, token, "kind=deactivate-licences", `code\n${licence.supportCode}\n`);
  const heartbeat = await app.services.pool.connect();
  let running: Promise<unknown> | undefined;
  try {
    await heartbeat.query("begin");
    await heartbeat.query("select from leases where id = $1 for update", [low]);
    running = processRun(app, token, run.id, "DEACTIVATE");
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await expect.poll(async () => (await heartbeat.query(waiting)).rowCount).toBeGreaterThan(0);
    await heartbeat.query("select from leases where id = $1 for update nowait", [high]);
  } finally {
    await heartbeat.query("rollback");
    heartbeat.release();
    await running;
  }
  expect(await loadRun(app, run.id)).toMatchObject({ state: "done", done: 1, failed: 0 });
  expect(await em().count(Lease, { licence: licence.id, endedAt: { $ne: null }, endedBy: "admin" })).toBe(2);
});

test("fails only the affected row when a surrogate pair is cut at the length limit", async () => {
  const long = `${"a".repeat(253)}😀@example.com`;
  for (const [query, csv] of [
    ["kind=import-users", buildUsersCsv(1).replace("import-1@import.example", long)],
    ["kind=import-licences", `${header}\n${long},2,1,1,0,2030-01-01,,,,,,\n`],
    ["kind=extend-licences&addDays=1", `code\n${"a".repeat(94)}😀bbb😀\n`],
  ] as const) {
    const run = await checkFile(app, token, query, csv);
    expect(run).toMatchObject({ state: "ready", faulty: 1, faults: [] });
    expect((await loadRows(app, run.id))[0]?.label).toMatch(/^…?[\ufffda]+b*\ufffd$/);
  }
});
