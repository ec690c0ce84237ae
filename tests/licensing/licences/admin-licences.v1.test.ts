import { expect, test } from "vitest";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { emailTrialEnds } from "#api/licensing/trials/email-trial-ends.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice, createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { buildLicenceInput } from "#tests/factories/licence-input.ts";
import { createAdmin, createCorporateUser, createSignedInAdmin, createUser } from "#tests/factories/user.ts";
import { listLicenceEvents } from "#tests/factories/subscription.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user: adminUser, token: admin } = await createSignedInAdmin(app);

const em = () => app.services.orm.em.fork();
const findLicence = (id: string) => em().findOneOrFail(Licence, id);
const audited = (id: string) => listAuditEntries(app, id);
const listEventKinds = (licenceId: string) => listLicenceEvents(app, licenceId);
const add = (userId: unknown, changes: Record<string, unknown> = {}) =>
  app.rest("POST", "/v1/admin/licence", { body: { userId, ...buildLicenceInput(changes) }, token: admin });
const put = (userId: string, licenceId: string, body: object) =>
  app.rest("PUT", `/v1/admin/licence/${userId}/${licenceId}`, { body, token: admin });
const remove = (userId: string, licenceId: string) =>
  app.rest("DELETE", `/v1/admin/licence/${userId}/${licenceId}`, { token: admin });

test("adding a licence returns its id, stores every field, writes an audit entry without its code and emails the owner", async () => {
  const user = await createCorporateUser(app);
  const { status, json } = await add(user.id);
  expect(status).toBe(200);
  const licence = await findLicence(json);
  const { expiryDate, ...terms } = buildLicenceInput();
  expect(licence).toMatchObject({ ...terms, expiresAt: new Date(`${expiryDate}T23:59:59.999Z`) });
  const list = await app.rest("GET", `/v1/licence/${user.id}`, { token: admin });
  expect(list.json).toMatchObject([
    { id: json, expiryDate: "31 March, 2028", purchaseOrderNumber: "PO-4711", licenceType: "Concurrent" },
  ]);
  const [entry, ...others] = await audited(json);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    action: "add-licence",
    actorId: adminUser.id,
    subjectName: licence.supportCode,
    userId: user.id,
    before: null,
    after: { productLevel: 16, numberOfUsers: 5, purchaseOrderNumber: "PO-4711" },
  });
  expect(JSON.stringify(entry)).not.toContain(licence.licenceCode);
  expect(await listEventKinds(json)).toEqual(["issue"]);
  const [mail] = await listEmailsTo(app, user.email);
  expect(mail?.subject).toBe("Your Planvarro Corporate Dark Concurrent licence");
  expect(mail?.text).toContain(licence.licenceCode);
});

test("sends no code to an unconfirmed address", async () => {
  const user = await createUser(app, { emailConfirmedAt: null });
  expect([(await add(user.id)).status, await listEmailsTo(app, user.email)]).toEqual([200, []]);
});

test("stores a project term only for project licences, and lease hours for the old floating type", async () => {
  const user = await createUser(app);
  const store = async (changes: object) =>
    findLicence((await add(user.id, { projectTerm: "Stage 2", ...changes })).json);
  expect([(await store({})).projectTerm, (await store({ licenceType: 4 })).projectTerm]).toEqual([null, "Stage 2"]);
  const floating = { licenceActivationType: 1, limitFloatingLeasePeriodToHours: 24 };
  expect(await store(floating)).toMatchObject(floating);
});

test("reports errors under the field's JSON name", async () => {
  const user = await createUser(app);
  const invalid = { numberOfUsers: 1_001, licenceType: 4, expiryDate: "2027-02-30" };
  expect(await add(user.id, invalid)).toMatchObject({
    status: 400,
    json: {
      numberOfUsers: ["Must be at most 1000."],
      projectTerm: ["Project term is required."],
      expiryDate: ["Must be a date."],
    },
  });
  expect((await add(undefined)).json).toEqual({ userId: ["User is required."] });
});

test("adding a licence is refused for admins, archived accounts and deleted accounts, each with its own message", async () => {
  const now = app.clock.now();
  const answers = [
    await add((await createAdmin(app)).id),
    await add((await createUser(app, { archivedAt: now })).id),
    await add((await createUser(app, { archivedAt: now, deletedAt: now })).id),
  ];
  expect(answers.map(({ status, json }) => [status, json.Message])).toEqual([
    [409, "Admins can't have licences."],
    [409, "This user is archived. Restore the user first, then try again."],
    [409, "This account has been deleted, so it can't have licences."],
  ]);
});

const change = (changes: Record<string, unknown> = {}) => ({
  licenceCategory: 2,
  expiryDate: "2029-01-31",
  purchaseOrderNumber: "PO-2",
  projectTerm: "",
  ...changes,
});

test("updating a licence changes the four fields, writes the old values to the audit log and records the extension", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user, { purchaseOrderNumber: "PO-1" });
  const { status, json } = await put(user.id, licence.id, change());
  expect([status, json]).toEqual([200, true]);
  expect(await findLicence(licence.id)).toMatchObject({
    licenceCategory: 2,
    expiresAt: new Date("2029-01-31T23:59:59.999Z"),
    purchaseOrderNumber: "PO-2",
    projectTerm: null,
  });
  expect(await audited(licence.id)).toMatchObject([
    {
      action: "update-licence",
      before: { licenceCategory: 1, purchaseOrderNumber: "PO-1", expiresAt: licence.expiresAt.toISOString() },
      after: { licenceCategory: 2, purchaseOrderNumber: "PO-2", expiresAt: "2029-01-31T23:59:59.999Z" },
    },
  ]);
  expect(await listEventKinds(licence.id)).toEqual(["extend"]);
  await put(user.id, licence.id, change({ expiryDate: "2027-06-30" }));
  expect(await listEventKinds(licence.id)).toEqual(["extend", "shorten"]);
  await put(user.id, licence.id, change({ expiryDate: "2027-06-30" }));
  expect(await listEventKinds(licence.id)).toHaveLength(2);
  expect(await audited(licence.id)).toHaveLength(2);
});

test("reminds the customer of the new end of a trial that had ended", async () => {
  const user = await createUser(app);
  const { id } = await createTrialLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), -DAY) });
  await runSweep(app.services, emailTrialEnds);
  const expiryDate = addMilliseconds(app.clock.now(), 2 * DAY).toISOString();
  expect((await put(user.id, id, { expiryDate, licenceCategory: 1 })).status).toBe(200);
  await runSweep(app.services, emailTrialEnds);
  const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject.replace(/^.*trial /, ""));
  expect(subjects).toEqual(["ends soon", "has ended"]);
});

test("updating a licence is refused for a deactivated licence and an archived owner", async () => {
  const now = app.clock.now();
  const user = await createUser(app);
  const revoked = await createLicence(app, user, { revokedAt: now });
  const archived = await createUser(app, { archivedAt: now });
  const theirs = await createLicence(app, archived);
  const message = "This licence has been deactivated and can't be changed.";
  expect((await put(user.id, revoked.id, change())).json.Message).toBe(message);
  expect((await put(archived.id, theirs.id, change())).status).toBe(409);
});

test("deactivating a licence keeps the row, ends seats, refuses devices and emails the owner; repeating changes nothing", async () => {
  const user = await createCorporateUser(app);
  const licence = await createConcurrentLicence(app, user);
  const device = await createDevice(app, licence);
  const seat = (await buildLease(app, licence, device)).json.data.lease;
  const { status, json } = await remove(user.id, licence.id);
  expect([status, json]).toEqual([200, true]);
  expect((await findLicence(licence.id)).revokedAt).toBeInstanceOf(Date);
  for (const call of ["validate", "lease", "heartbeat"] as const) {
    const body = call === "lease" ? { sessionId: "another" } : call === "heartbeat" ? { leaseId: seat.id } : {};
    expect((await callAddinFrom(app, device, call, licence, body)).json.data).toMatchObject({ resultCode: 12 });
  }
  expect(await em().findOneOrFail(Lease, seat.id)).toMatchObject({ endedBy: "admin" });
  expect((await remove(user.id, licence.id)).json).toBe(true);
  expect((await listEventKinds(licence.id)).filter((kind) => kind === "revoke")).toHaveLength(1);
  expect(await audited(licence.id)).toMatchObject([
    { action: "deactivate-licence", before: { revokedAt: null }, after: { revokedAt: expect.any(String) } },
  ]);
  const sent = await listEmailsTo(app, user.email);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.text).toContain(licence.supportCode);
  for (const one of [licence.licenceCode, "subscription"]) expect(sent[0]?.text).not.toContain(one);
  const list = await app.rest("GET", `/v1/licence/${user.id}`, { token: admin });
  expect(list.json).toMatchObject([{ id: licence.id, status: "REVOKED" }]);
});
