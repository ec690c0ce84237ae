import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { buildProfile, createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { createContact } from "#tests/factories/contact.ts";
import { blockMachine, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const token = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));

const find = (id: string) => em().findOneOrFail(User, id);
const details = async (id: string) => (await app.rest("GET", `/v1/users/${id}`, { token })).json;
const update = (id: string, changes: Record<string, unknown> = {}) => {
  const body = buildProfile({ id, memberType: 1, annualDeactivationLimit: 3, ...changes });
  return app.rest("PUT", "/v1/users/admin/update-user", { token, body });
};
/** Updates a user over GraphQL. */
function save({ id, email }: User, changes: Record<string, unknown> = {}, by = token) {
  const input = buildProfile({ email, memberType: "REGULAR", annualDeactivationLimit: 3, ...changes });
  return app.call("updateUser { revision blockedMachines { machineName } }", { id, input }, by);
}
/** Creates a user, and an update body that changes nothing. */
async function createKnownUser(changes: Partial<User> = {}) {
  const user = await createUser(app, changes);
  return { user, body: (await details(user.id)) as Record<string, unknown> };
}

test("GET /v1/users/{id} returns contacts by name, licences and blocked machines, and no field is null", async () => {
  const { user } = await createKnownUser();
  for (const firstName of ["Mary", "Ada", "Zoe", "Bea"]) await createContact(app, user, { firstName });
  const licence = await createLicence(app, user);
  await blockMachine(app, user, "BNE-1|office");
  const json = await details(user.id);
  const names = { isServiceProvider: false, serviceProvider: false, postcode: "4000", postCode: "4000" };
  const values = { id: user.id, firstName: "Ada", memberType: 1, email: user.email, abn: "", referrer: "" };
  expect(json).toMatchObject({
    ...values,
    ...names,
    blockedMachines: [{ machineName: "BNE-1|office", isNew: false, dateBlocked: expect.stringMatching(/Z$/) }],
    contacts: ["Ada", "Bea", "Mary", "Zoe"].map((firstName) => ({ userId: user.id, firstName, contactType: 4 })),
    licences: [{ id: licence.id, licenceCode: licence.licenceCode }],
  });
  expect(Object.values(json)).not.toContain(null);
  expect(JSON.stringify(json)).not.toMatch(/passwordHash|argon2/);
});

test("returns 404 for an unknown id, like every change", async () => {
  for (const id of ["nobody", "00000000-0000-4000-8000-000000000000"])
    for (const response of [
      await app.rest("GET", `/v1/users/${id}`, { token }),
      await update(id),
      await app.rest("PATCH", `/v1/users/reset-deactivation-limit/${id}`, { token }),
    ])
      expect([response.status, typeof response.json]).toEqual([404, "string"]);
});

test("updates every field and records only the differences in the audit log", async () => {
  const { user, body } = await createKnownUser();
  const changes = {
    firstName: "Augusta",
    lastName: "King",
    memberType: 2,
    companyName: "Engines Ltd",
    position: "",
    mobile: "0400 111 222",
    isTester: true,
    isServiceProvider: true,
    annualDeactivationLimit: 0,
    unitNumber: "4",
    streetNumber: "13",
    streetName: "Mary Street",
    city: "Denver",
    state: "CO",
    postCode: "80014",
    country: "United States",
    fullAddress: "4/13 Mary Street",
    abn: "51824753556",
    referrer: "Babbage",
    issuedW8Form: true,
    completedSecurityInformation: true,
    completedSoftwareQA: true,
    isSubscribedToNewsLetter: true,
    hasCompletedTrial: true,
  };
  const saved = await app.rest("PUT", "/v1/users/admin/update-user", { token, body: { ...body, ...changes } });
  expect([saved.status, saved.json]).toEqual([200, true]);
  const stored = { ...changes, abn: "51 824 753 556" };
  expect(await find(user.id)).toMatchObject({ ...stored, email: user.email, revision: 2 });
  const [entry, ...others] = await listAuditEntries(app, user.id);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ action: "update-user", subjectType: "user", subjectName: "Augusta King" });
  expect(entry?.after).toEqual({ ...stored, revision: 2 });
  expect(Object.keys(entry?.before ?? {}).toSorted()).toEqual(Object.keys(entry?.after ?? {}).toSorted());
  expect(entry?.before).toMatchObject({ firstName: "Ada", memberType: 1, annualDeactivationLimit: 3, revision: 1 });
});

test("clears omitted text and keeps omitted checkboxes and blocked machines", async () => {
  const kept = { isTester: true, hasCompletedTrial: true };
  const { user } = await createKnownUser({ ...kept, companyName: "Engines" });
  await blockMachine(app, user, "BNE-1");
  const rest = { companyName: undefined, isTester: undefined };
  expect((await update(user.id, { ...rest, email: user.email })).status).toBe(200);
  const blockedMachines = [{ machineName: "BNE-1" }];
  expect(await details(user.id)).toMatchObject({ companyName: "", ...kept, blockedMachines });
});

test("replaces the list of blocked machines, keeps existing dates and audits the names", async () => {
  const { user } = await createKnownUser();
  await blockMachine(app, user, "STAYS|office");
  await blockMachine(app, user, "GOES");
  const isKept = ({ machineName }: { machineName: string }) => machineName !== "GOES";
  const before = (await details(user.id)).blockedMachines.find(isKept);
  app.clock.setOffset(60_000);
  const names = [
    { machineName: "stays|OFFICE", id: before.id, isNew: false },
    { machineName: "NEW <b>", isNew: true },
  ];
  expect((await update(user.id, { email: user.email, blockedMachines: names })).status).toBe(200);
  app.clock.setOffset(0);
  const { blockedMachines } = await details(user.id);
  expect(blockedMachines).toHaveLength(2);
  expect(blockedMachines).toContainEqual(before);
  const entry = (await listAuditEntries(app, user.id)).at(-1);
  expect(entry?.before).toMatchObject({ blockedMachines: ["GOES", "STAYS|office"] });
  expect(entry?.after).toMatchObject({ blockedMachines: ["NEW <b>", "STAYS|office"] });
});

test("accepts serviceProvider as an alias, and ignores fields that staff can't set", async () => {
  const { user } = await createKnownUser();
  const moments = { archivedAt: "2020-01-01", registeredAt: "2001-01-01", twoStepSince: "2020-01-01" };
  const extra = { ...moments, emailConfirmed: false, passwordHash: "x" };
  await update(user.id, { email: user.email, isServiceProvider: undefined, serviceProvider: true, ...extra });
  const after = await em().findOneOrFail(User, user.id, { populate: ["passwordHash"] });
  expect(after.passwordHash).not.toBe("x");
  const { registeredAt } = user;
  const kept = { archivedAt: null, registeredAt, twoStepSince: null, emailConfirmed: true };
  expect(after).toMatchObject({ isServiceProvider: true, ...kept });
});

test("returns the rules' messages under the JSON names, and refuses a deleted account", async () => {
  const { user } = await createKnownUser({ deletedAt: new Date(), archivedAt: new Date() });
  const { status, json } = await update(user.id, { firstName: "A", blockedMachines: [{}], memberType: 9 });
  expect(status).toBe(400);
  expect(json).toEqual({
    firstName: ["First name must have at least 2 characters."],
    memberType: ["Member type is required."],
    "blockedMachines[0].machineName": ["Machine name is required."],
  });
  expect((await update(user.id)).status).toBe(409);
});

test("the email address changes immediately, works for signing in and notifies the old address", async () => {
  const { user } = await createKnownUser();
  const email = freshEmail();
  expect((await update(user.id, { email })).status).toBe(200);
  expect(await find(user.id)).toMatchObject({ email, signInEmail: email, emailConfirmed: true, pendingEmail: null });
  const [mail] = await listEmailsTo(app, user.email);
  for (const one of ["Our staff changed the email address", email]) expect(mail?.text).toContain(one);
  expect((await createAccountCalls(app).signIn(email)).status).toBe(200);
});

test("keeps an emailed link when only the case of the address changes", async () => {
  const { user } = await createKnownUser();
  await app.call("sendPasswordReset { id }", { userId: user.id }, token);
  const resetToken = await findEmailedSecret(app, user.email);
  await update(user.id, { email: user.email.toUpperCase() });
  expect(await app.call("isResetTokenValid", { input: { resetToken } })).toBe(true);
});

test("rejects the address of another account and changes nothing", async () => {
  const [{ user }, { user: other }] = [await createKnownUser(), await createKnownUser()];
  const { status, json } = await update(user.id, { email: other.email.toUpperCase(), firstName: "Changed" });
  expect([status, json]).toEqual([400, { email: ["Another account has this email address."] }]);
  expect(await find(user.id)).toMatchObject({ email: user.email, firstName: "Ada", revision: 1 });
  expect([await listAuditEntries(app, user.id), await listEmailsTo(app, user.email)]).toEqual([[], []]);
});

test("sends a confirmation to the new address of an unconfirmed account, and nothing if only the case changes", async () => {
  const { user } = await createKnownUser({ emailConfirmedAt: null });
  await update(user.id, { email: user.email.toUpperCase() });
  expect(await find(user.id)).toMatchObject({ email: user.email.toUpperCase(), signInEmail: user.signInEmail });
  expect(await listEmailsTo(app, user.email)).toEqual([]);
  const email = freshEmail();
  await update(user.id, { email });
  expect((await find(user.id)).emailConfirmed).toBe(false);
  expect((await listEmailsTo(app, email))[0]?.subject).toContain("Confirm");
  // The link wouldn't work.
  const archived = await createKnownUser({ emailConfirmedAt: null, archivedAt: app.clock.now() });
  const unused = freshEmail();
  expect((await update(archived.user.id, { email: unused })).status).toBe(200);
  expect(await listEmailsTo(app, unused)).toEqual([]);
});

test("an outdated revision is rejected with the changes since then over GraphQL and REST, and a missing one is accepted", async () => {
  const { user } = await createKnownUser();
  const mary = await signInAs(app, await createAdmin(app, { firstName: "Mary", lastName: "Keller" }));
  await save(user, { revision: 1 });
  expect(await listAuditEntries(app, user.id)).toEqual([]);
  const first = await save(user, { revision: 1, firstName: "Augusta", blockedMachines: [{ machineName: "BNE-1" }] });
  expect(first).toEqual({ revision: 2, blockedMachines: [{ machineName: "BNE-1" }] });
  await expect(save(user, { revision: 1, mobile: "0400 999 999" }, mary)).rejects.toMatchObject({
    code: "CONFLICT",
    reason: "STALE_REVISION",
    message: expect.stringMatching(/Grace Hopper <.*> changed blockedMachines, firstName/),
  });
  expect(await find(user.id)).toMatchObject({ firstName: "Augusta", mobile: user.mobile });
  const changes = await app.call("userChanges { at actorName fields }", { id: user.id, since: 1 }, mary);
  const change = { at: expect.any(String), actorName: expect.stringContaining("Grace Hopper") };
  expect(changes).toEqual([{ ...change, fields: ["blockedMachines", "firstName"] }]);
  const again = await save(user, { revision: 2, firstName: "Augusta", mobile: "0400 999 999" }, mary);
  expect(again).toEqual({ revision: 3, blockedMachines: [{ machineName: "BNE-1" }] });
  const refused = await update(user.id, { email: user.email, revision: 1 });
  expect([refused.status, refused.json.Message]).toEqual([409, expect.stringContaining("Grace Hopper")]);
  expect((await update(user.id, { email: user.email, revision: 3, firstName: "Anne" })).status).toBe(200);
  expect((await update(user.id, { email: user.email })).status).toBe(200);
  expect(await find(user.id)).toMatchObject({ firstName: "Ada", revision: 5 });
});

test("an outdated revision is the revision of a form opened before the user changed their profile or started a trial", async () => {
  const { user } = await createKnownUser();
  const theirs = await signInAs(app, user);
  const body = buildProfile({ email: user.email, mobile: "0400 000 001" });
  for (const revision of [2, 2]) {
    await app.rest("PUT", "/v1/core/accounts/update-profile", { token: theirs, body });
    expect((await find(user.id)).revision).toBe(revision);
  }
  await app.rest("POST", "/v1/subscriptions/create-trial", { token: theirs });
  const late = save(user, { revision: 1, hasCompletedTrial: false });
  await expect(late).rejects.toThrow("The user changed their own details.");
  expect(await find(user.id)).toMatchObject({ revision: 3, hasCompletedTrial: true });
});
