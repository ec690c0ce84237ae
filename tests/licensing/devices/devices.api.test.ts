import { expect, test, afterEach } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import type { DeactivationActor } from "#schema/device.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { getErrorCode } from "#tests/factories/account.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createSignedIn, createSignedInAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const { user: admin, token: adminToken } = await createSignedInAdmin(app);
const { user: owner, token } = await createSignedIn(app, { annualDeactivationLimit: 1 });
const licence = await createLicence(app, owner, { numberOfMachines: 10 });

const deactivate = async (deviceId: string, as = token, reason = "Device change") =>
  app.graphql("deactivateDevice { code message deactivationsRemaining }", { input: { deviceId, reason } }, as);

test("returns the portal's messages and the number of deactivations left", async () => {
  const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
  expect((await deactivate(first.id)).data.deactivateDevice).toEqual({
    code: "VALID",
    message: "You have successfully deactivated the device.",
    deactivationsRemaining: 0,
  });
  expect((await deactivate(first.id)).data.deactivateDevice).toEqual({
    code: "FAILED",
    message: "Unable to deactivate the device.",
    deactivationsRemaining: 0,
  });
  expect((await deactivate(second.id)).data.deactivateDevice).toEqual({
    code: "DEACTIVATION_LIMIT_EXCEEDED",
    message:
      "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.",
    deactivationsRemaining: 0,
  });
});

test("audits deactivations by admins, including an overridden licence file, but not deactivations by customers", async () => {
  const customer = await createUser(app);
  const theirs = await createLicence(app, customer, { numberOfMachines: 3 });
  const offlineUntil = addMilliseconds(app.clock.now(), DAY);
  const locked = await createDevice(app, theirs, { machineName: "LAPTOP-ADA|planning.local", offlineUntil });
  expect((await deactivate(locked.id, adminToken, "Laptop stolen")).data.deactivateDevice.code).toBe("VALID");
  // The device is already deactivated, so nothing is recorded.
  expect((await deactivate(locked.id, adminToken)).data.deactivateDevice.code).toBe("FAILED");
  await deactivate((await createDevice(app, theirs)).id, await signInAs(app, customer));
  const entries = await em().find(AuditEntry, { userId: customer.id });
  expect(entries).toMatchObject([
    {
      action: "deactivate-device",
      actorId: admin.id,
      subjectType: "device",
      subjectId: locked.id,
      subjectName: "LAPTOP-ADA",
      before: null,
      after: { licence: theirs.supportCode, reason: "Laptop stolen", licenceFileUntil: offlineUntil.toISOString() },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain(theirs.licenceCode);
});

const read = async ({ id }: Licence, as: string) =>
  (await app.graphql("licence { deactivationAllowance { limit used remaining nextFreeAt resetAt } }", { id }, as)).data
    .licence.deactivationAllowance;

/** Creates a device that was deactivated the given number of days ago. Returns the time of the deactivation. */
async function createDeactivated(
  user: User,
  licence: Licence,
  daysAgo: number,
  by: DeactivationActor = "customer",
  reason = "Old",
) {
  const at = addMilliseconds(app.clock.now(), -daysAgo * DAY);
  const device = await createDevice(app, licence, { freedAt: at, machineName: `${by}-${daysAgo}` });
  const fork = em();
  fork.create(Deactivation, { user: user.id, device: fork.getReference(Device, device.id), at, by, reason } as never);
  await fork.flush();
  return at;
}

const addYear = (date: Date) => addMilliseconds(date, 365 * DAY).toISOString();

async function createCustomer(changes: Partial<User> = {}) {
  const user = await createUser(app, changes);
  return { user, licence: await createLicence(app, user, { numberOfMachines: 5 }), token: await signInAs(app, user) };
}

test("counts the customer's own deactivations in the last year across all licences", async () => {
  const { user, licence, token } = await createCustomer();
  expect(await read(licence, token)).toEqual({ limit: 3, used: 0, remaining: 3, nextFreeAt: null, resetAt: null });
  const oldest = await createDeactivated(user, await createLicence(app, user), 200);
  await createDeactivated(user, licence, 10);
  await createDeactivated(user, licence, 366);
  await createDeactivated(user, licence, 5, "admin");
  await createDeactivated(user, licence, 5, "system");
  expect(await read(licence, token)).toMatchObject({ used: 2, remaining: 1, nextFreeAt: addYear(oldest) });
});

test("ignores deactivations before a reset", async () => {
  const deactivationsResetAt = addMilliseconds(app.clock.now(), -30 * DAY);
  const { user, licence, token } = await createCustomer({ deactivationsResetAt });
  await createDeactivated(user, licence, 40);
  const counted = await createDeactivated(user, licence, 20);
  expect(await read(licence, token)).toEqual({
    limit: 3,
    used: 1,
    remaining: 2,
    nextFreeAt: addYear(counted),
    resetAt: deactivationsResetAt.toISOString(),
  });
});

test("returns the date when enough deactivations will have expired, if the limit was lowered", async () => {
  const { user, licence, token } = await createCustomer({ annualDeactivationLimit: 1 });
  await createDeactivated(user, licence, 300);
  await createDeactivated(user, licence, 200);
  const third = await createDeactivated(user, licence, 100);
  expect(await read(licence, token)).toMatchObject({ used: 3, remaining: 0, nextFreeAt: addYear(third) });
  const none = await createCustomer({ annualDeactivationLimit: 0 });
  await createDeactivated(none.user, none.licence, 100);
  expect(await read(none.licence, none.token)).toMatchObject({ limit: 0, used: 1, remaining: 0, nextFreeAt: null });
});

test("deactivationAllowance allows the next deactivation at the returned date, but not a minute earlier", async () => {
  const { user, licence, token } = await createCustomer({ annualDeactivationLimit: 1 });
  await createDeactivated(user, licence, 364);
  const device = await createDevice(app, licence);
  const { nextFreeAt } = await read(licence, token);
  // Access tokens expire with the test clock.
  const tryToDeactivate = async () =>
    (await deactivate(device.id, await signInAs(app, user))).data.deactivateDevice.code;
  const wait = Date.parse(nextFreeAt) - app.clock.now().getTime();
  app.clock.setOffset(wait - 60_000);
  expect(await tryToDeactivate()).toBe("DEACTIVATION_LIMIT_EXCEEDED");
  app.clock.setOffset(wait);
  expect(await tryToDeactivate()).toBe("VALID");
});

test("recentlyFreed lists the latest five devices, newest first, with only the customers' own reasons", async () => {
  const { user, licence, token } = await createCustomer();
  for (const daysAgo of [500, 5, 4, 3, 2]) await createDeactivated(user, licence, daysAgo);
  const latest = await createDeactivated(user, licence, 1, "admin", "Support ticket of a colleague");
  const fields = "recentlyFreed { machineName freedAt by reason }";
  const list = async (as: string) =>
    (await app.graphql(`licence { ${fields} }`, { id: licence.id }, as)).data.licence.recentlyFreed;
  const own = await list(token);
  const expected = "admin-1 customer-2 customer-3 customer-4 customer-5";
  expect(own.map((device: { machineName: string }) => device.machineName).join(" ")).toBe(expected);
  expect(own[0]).toEqual({ machineName: "admin-1", freedAt: latest.toISOString(), by: "ADMIN", reason: null });
  expect(own[1].reason).toBe("Old");
  const [seenByStaff] = await list(adminToken);
  expect(seenByStaff.reason).toBe("Support ticket of a colleague");
});

const block = (userId: string, deviceId: string, as = adminToken) =>
  app.graphql("blockMachineOf { revision blockedMachines { machineName } }", { userId, deviceId }, as);

test("blocks a machine once under its displayed name, records the change and increments the user's revision", async () => {
  const user = await createUser(app);
  const device = await createDevice(app, await createLicence(app, user), { machineName: "BNE-PLAN-9|4c4c" });
  const done = { revision: 2, blockedMachines: [{ machineName: "BNE-PLAN-9" }] };
  expect((await block(user.id, device.id)).data.blockMachineOf).toEqual(done);
  expect((await block(user.id, device.id)).data.blockMachineOf).toEqual(done);
  const [entry, ...others] = await em().find(AuditEntry, { userId: user.id });
  expect(entry).toMatchObject({ action: "update-user", after: { blockedMachines: ["BNE-PLAN-9"], revision: 2 } });
  expect(others).toEqual([]);
});

test("doesn't block a machine of a deleted account, which is being erased", async () => {
  const user = await createUser(app, { deletedAt: app.clock.now(), archivedAt: app.clock.now() });
  const device = await createDevice(app, await createLicence(app, user));
  expect(getErrorCode(await block(user.id, device.id))).toBe("CONFLICT");
});

const offlineFields = "code message licenceId licenceFile goodUntil device { id machineName offlineUntil }";
const activateOffline = (requestFile: string) =>
  app.graphql(`activateOffline { ${offlineFields} }`, { input: { requestFile } }, token);

test("activateOffline returns the licence file, its expiry and the locked device", async () => {
  const licence = await createLicence(app, owner);
  const request = buildRequest(app, licence.licenceCode, { machine: buildMachine({ machineName: "SITE-07|corp" }) });
  const { data } = await activateOffline(JSON.stringify(request));
  const { goodUntil } = data.activateOffline;
  expect(data.activateOffline).toMatchObject({
    code: "VALID",
    message: "The device was activated. Now carry the licence file to it.",
    licenceFile: expect.stringContaining("BEGIN LICENCE FILE"),
    device: { machineName: "SITE-07|corp", offlineUntil: goodUntil },
  });
});

test("activateOffline returns a refusal as data without a file", async () => {
  const licence = await createLicence(app, owner);
  await createDevice(app, licence);
  const { data, errors } = await activateOffline(JSON.stringify(buildRequest(app, licence.licenceCode)));
  expect(errors).toBeUndefined();
  expect(data.activateOffline).toEqual({
    code: "MACHINE_LIMIT_EXCEEDED",
    message: "The licence is already in use on as many devices as it allows. Please free one first.",
    licenceId: licence.id,
    licenceFile: null,
    goodUntil: null,
    device: null,
  });
});

test("activateOffline returns a licence ID for every sandbox code, although there is no such licence", async () => {
  const requestFile = JSON.stringify(buildRequest(app, "SANDB-00002-00000-00000-00000-0000C"));
  const fields = "code licenceId licence { id }";
  const { data, errors } = await app.graphql(`activateOffline { ${fields} }`, { input: { requestFile } }, token);
  expect(errors).toBeUndefined();
  const licenceId = expect.stringMatching(/^[\da-f-]{36}$/);
  expect(data.activateOffline).toEqual({ code: "FAILED", licenceId, licence: null });
});
