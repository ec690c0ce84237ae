import { beforeEach, expect, test, afterEach } from "vitest";
import { ResultCode } from "#schema/result-code.ts";
import { licenceCategories, licenceFields } from "#schema/licence.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { revokeLicences } from "#api/licensing/licences/revoke-licences.ts";
import { getErrorCode } from "#tests/factories/account.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { buildLease } from "#tests/factories/lease.ts";
import {
  createConcurrentLicence,
  createDevice,
  createLicence,
  createSubscription,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { buildLicenceInput } from "#tests/factories/licence-input.ts";
import {
  advanceTime,
  createSubscriber,
  getCustomerId,
  listLicenceEvents,
  loadSubscription,
} from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { toCode } from "#schema/closed-list.ts";
import { toInput } from "#schema/field.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
let admin = "";
beforeEach(async () => {
  // Some tests move the clock further than a session lasts.
  admin = await signInAs(app, await createAdmin(app));
});
const em = () => app.services.orm.em.fork();
const findLicence = (id: string) => em().findOneOrFail(Licence, id);
const listActions = async (id: string) => (await listAuditEntries(app, id)).map(({ action }) => action);

const updateLicence = (userId: string, licenceId: string, input: object, began: object | null = null) =>
  app.graphql("updateLicence { id licenceCategory purchaseOrderNumber }", { userId, licenceId, input, began }, admin);
const changeSeats = (userId: string, licenceId: string, input: object) =>
  app.graphql("changeLicenceSeats { numberOfUsers numberOfMachines }", { userId, licenceId, input }, admin);
const deactivate = (userId: string, licenceId: string) =>
  app.graphql("deactivateLicence { id status isSubscribed }", { userId, licenceId }, admin);
const reinstate = (userId: string, licenceId: string) =>
  app.graphql("reinstateLicence { status }", { userId, licenceId }, admin);

test("extends a trial that ended by its conversions, and limits no other licence", async () => {
  const user = await createUser(app);
  const trial = await createTrialLicence(app, user, { usageCount: 20 });
  const device = await createDevice(app, trial);
  const validate = async () => (await callAddinFrom(app, device, "validate", trial)).json.data.code;
  expect(await validate()).toBe("USAGE_LIMIT_REACHED");
  const input = { licenceCategory: "NONE", expiryDate: trial.expiresAt.toISOString(), usageLimit: 30 };
  const extend = (id: string, changes = {}) => updateLicence(user.id, id, { ...input, ...changes });
  expect((await extend(trial.id)).errors).toBeUndefined();
  expect(await validate()).toBe("VALID");
  // Leaving it out changes nothing.
  await extend(trial.id, { usageLimit: undefined });
  expect((await findLicence(trial.id)).usageLimit).toBe(30);
  expect(getErrorCode(await extend(trial.id, { usageLimit: 0 }))).toBe("BAD_USER_INPUT");
  expect(getErrorCode(await extend((await createLicence(app, user)).id))).toBe("BAD_USER_INPUT");
});

test("adds a licence for an admin and returns all its fields", async () => {
  const user = await createUser(app);
  const input = toInput(licenceFields, buildLicenceInput());
  const fields = "id licenceCode subscriptionLevel status isSubscribed owner { email }";
  const { data, errors } = await app.graphql(`addLicence { ${fields} }`, { userId: user.id, input }, admin);
  expect(errors).toBeUndefined();
  expect(data.addLicence).toMatchObject({
    subscriptionLevel: "Corporate Dark Concurrent",
    status: "ACTIVE",
    isSubscribed: false,
    owner: { email: user.email },
  });
});

test("a form opened before another admin's change overwrites nothing and reports the conflict", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const began = ({ expiresAt, licenceCategory, purchaseOrderNumber, projectTerm, usageLimit }: Licence) => ({
    expiresAt: expiresAt.toISOString(),
    licenceCategory: toCode(licenceCategories, licenceCategory),
    purchaseOrderNumber,
    projectTerm,
    usageLimit,
  });
  const change = (purchaseOrderNumber: string, from: Licence) => {
    const input = {
      licenceCategory: "TRANSITIONAL_LICENCING",
      expiryDate: licence.expiresAt.toISOString(),
      purchaseOrderNumber,
    };
    return updateLicence(user.id, licence.id, input, began(from));
  };
  expect((await change("PO-1", licence)).data.updateLicence).toMatchObject({ purchaseOrderNumber: "PO-1" });
  const late = await change("PO-2", licence);
  expect(late.errors?.[0]).toMatchObject({
    message: "This licence was changed while you were editing it. Close the form to see the current values.",
    extensions: { code: "CONFLICT" },
  });
  expect((await findLicence(licence.id)).purchaseOrderNumber).toBe("PO-1");
  expect((await change("PO-2", await findLicence(licence.id))).data.updateLicence.purchaseOrderNumber).toBe("PO-2");
  const trial = await createTrialLicence(app, user);
  const setConversions = (usageLimit: number) => {
    const input = { licenceCategory: "NONE", expiryDate: trial.expiresAt.toISOString(), usageLimit };
    return updateLicence(user.id, trial.id, input, began(trial));
  };
  expect((await setConversions(30)).errors).toBeUndefined();
  expect(getErrorCode(await setConversions(20))).toBe("CONFLICT");
  // Only the conversions have changed, not the end.
  expect(await listLicenceEvents(app, trial.id)).toEqual(["change"]);
});

test("ends the subscription at the payment provider, so that the customer isn't charged and can subscribe again", async () => {
  const { user, licence } = await createSubscriber(app);
  const { data: before } = await app.graphql("licence { isSubscribed }", { id: licence.id }, admin);
  expect(before.licence.isSubscribed).toBe(true);
  expect((await deactivate(user.id, licence.id)).data.deactivateLicence.status).toBe("REVOKED");
  const notice = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.includes("deactivated"));
  expect(notice?.text).toContain("The subscription for this licence also ends");

  await advanceTime(app, 0);
  const listAtProvider = async () => app.services.payments.listSubscriptions(await getCustomerId(app, user.id));
  const atProvider = await listAtProvider();
  expect(atProvider.map(({ status }) => status)).toEqual(["ended"]);
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("cancelled");
  await advanceTime(app, 40);
  expect((await listAtProvider()).map(({ invoices }) => invoices)).toEqual(atProvider.map(({ invoices }) => invoices));
  expect((await findLicence(licence.id)).revokedAt).not.toBeNull();
  const status = await app.graphql("me { hasActiveSubscription }", {}, await signInAs(app, user));
  expect(status.data.me.hasActiveSubscription).toBe(false);
});

test("marks a subscription that predates the payment provider as cancelled", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  await createSubscription(app, licence);
  const { data } = await deactivate(user.id, licence.id);
  expect(data.deactivateLicence).toMatchObject({ status: "REVOKED", isSubscribed: false });
  expect((await loadSubscription(app, user.id)).subscription).toMatchObject({
    status: "cancelled",
    endedAt: expect.any(Date),
  });
});

test("changing seats changes the numbers that devices may use, and records the change", async () => {
  const user = await createCorporateUser(app);
  const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1, numberOfMachines: 2 });
  const [one, other] = [await createDevice(app, licence), await createDevice(app, licence)];
  await buildLease(app, licence, one);
  expect((await buildLease(app, licence, other)).json.data.resultCode).toBe(ResultCode.NO_SEATS_AVAILABLE);
  const change = () => changeSeats(user.id, licence.id, { numberOfUsers: 2, numberOfMachines: 3, allowOnVms: true });
  const { data } = await change();
  expect(data.changeLicenceSeats).toEqual({ numberOfUsers: 2, numberOfMachines: 3 });
  expect((await findLicence(licence.id)).allowOnVms).toBe(true);
  expect((await buildLease(app, licence, other)).json.data.resultCode).toBe(ResultCode.VALID);
  expect(await listActions(licence.id)).toEqual(["change-seats"]);
  // The same numbers again change nothing.
  await change();
  const kinds = await listLicenceEvents(app, licence.id);
  expect(kinds.filter((kind) => kind === "change")).toHaveLength(1);
});

test("changing seats returns CONFLICT for fewer seats or devices than are in use", async () => {
  const user = await createCorporateUser(app);
  const licence = await createConcurrentLicence(app, user, { numberOfUsers: 2, numberOfMachines: 2 });
  for (const device of [await createDevice(app, licence), await createDevice(app, licence)])
    await buildLease(app, licence, device);
  for (const [numbers, used] of [
    [{ numberOfUsers: 1, numberOfMachines: 2 }, "2 seats are in use"],
    [{ numberOfUsers: 2, numberOfMachines: 1 }, "2 devices are active"],
  ] as const) {
    const { errors } = await changeSeats(user.id, licence.id, { ...numbers, allowOnVms: false });
    const message = `${used}, so the number can't be 1. Reduce the use first.`;
    expect(errors?.[0]).toMatchObject({ message, extensions: { code: "CONFLICT" } });
  }
  expect(await findLicence(licence.id)).toMatchObject({ numberOfUsers: 2, numberOfMachines: 2 });
  expect(await listActions(licence.id)).toEqual([]);
});

test("changing seats returns the error of each number out of bounds, and CONFLICT for a deactivated licence", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const input = { numberOfUsers: 0, numberOfMachines: 1_001, allowOnVms: false };
  expect((await changeSeats(user.id, licence.id, input)).errors?.[0]?.extensions.fields).toEqual({
    numberOfUsers: ["Must be at least 1."],
    numberOfMachines: ["Must be at most 1000."],
  });
  await deactivate(user.id, licence.id);
  const valid = { numberOfUsers: 1, numberOfMachines: 2, allowOnVms: false };
  expect(getErrorCode(await changeSeats(user.id, licence.id, valid))).toBe("CONFLICT");
});

test("reinstating a licence makes it work again on the same device, and emails the owner", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const device = await createDevice(app, licence);
  await deactivate(user.id, licence.id);
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(ResultCode.LICENCE_REVOKED);
  expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "ACTIVE" } });
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(ResultCode.VALID);
  expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "ACTIVE" } });
  expect(await listActions(licence.id)).toEqual(["deactivate-licence", "reinstate-licence"]);
  const emails = await listEmailsTo(app, user.email);
  expect(emails).toHaveLength(2);
  const reinstatement = emails.find(({ subject }) => subject.endsWith("licence works again"));
  expect(reinstatement?.text).toContain(licence.supportCode);
  expect(reinstatement?.text).not.toContain(licence.licenceCode);
});

test("emails nobody that a licence works again if it has expired", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user, { expiresAt: app.clock.now() });
  await deactivate(user.id, licence.id);
  expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "EXPIRED" } });
  const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject);
  expect(subjects).toEqual([expect.stringContaining("was deactivated")]);
});

test("reinstating a licence makes a licence work again that was deactivated while its owner was archived", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  await app.call("archiveUser { id }", { id: user.id }, admin);
  await deactivate(user.id, licence.id);
  await app.call("restoreUser { id }", { id: user.id }, admin);
  expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "ACTIVE" } });
});

test("reinstating a licence waits until its subscription has ended, so that the customer isn't charged again", async () => {
  const { user, licence } = await createSubscriber(app);
  await deactivate(user.id, licence.id);
  expect(getErrorCode(await reinstate(user.id, licence.id))).toBe("CONFLICT");
  await app.services.jobs.drain();
  expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "ACTIVE" } });
  expect((await loadSubscription(app, user.id)).subscription.status).toBe("cancelled");
});

test("returns CONFLICT for a licence that was revoked for another reason, even after a deactivation", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  await deactivate(user.id, licence.id);
  await reinstate(user.id, licence.id);
  app.clock.setOffset(60_000);
  const manager = em();
  await revokeLicences({ context: app.context(), em: manager, userId: user.id, limit: 10 });
  await manager.flush();
  expect(getErrorCode(await reinstate(user.id, licence.id))).toBe("CONFLICT");
  expect((await findLicence(licence.id)).revokedAt).not.toBeNull();
  // Another user's licence is not found.
  expect(getErrorCode(await reinstate((await createUser(app)).id, licence.id))).toBe("NOT_FOUND");
});
