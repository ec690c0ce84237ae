import { expect, test, afterEach } from "vitest";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import { addMilliseconds, MINUTE, SECOND } from "#api/platform/clock.ts";
import { getErrorCode } from "#tests/factories/account.ts";
import { callAddin } from "#tests/factories/addin.ts";
import {
  confirmAuthorization,
  denyAuthorization,
  viewAuthorization,
  openAuthorization,
  pollAuthorization,
  openConfirmed,
} from "#tests/factories/device-authorization.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createCorporateUser, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const { user, token } = await createSignedIn(app);
const activeDevices = (licence: { id: string }) => em().count(Device, { licence: licence.id, freedAt: null });
const getState = async (userCode: string) =>
  (await viewAuthorization(app, userCode, token)).data.deviceAuthorization.state;

async function createConfirmed() {
  const licence = await createLicence(app, user);
  return { licence, open: await openConfirmed(app, licence, token) };
}

test("finds the machine by a code in any notation", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 2 });
  const { machine: me, userCode } = await openAuthorization(app);
  await callAddin(app, "activate", licence, { machine: me });
  for (const typed of [userCode, ` ${userCode.toLowerCase().replace("-", " ")} `])
    expect((await viewAuthorization(app, typed, token)).data.deviceAuthorization).toMatchObject({
      userCode,
      state: "PENDING",
      message: null,
      machineName: me.machineName.split("|")[0],
      osUser: "PLANNING\\ada",
      addInVersion: "7.2.0",
      ip: "127.0.0.1",
      isSameNetwork: true,
      licenceId: null,
      licenceIdsWithPlace: [licence.id],
      deactivationsRemaining: expect.any(Number),
    });
});

test("reports a machine on another network", async () => {
  const { userCode } = await openAuthorization(app);
  await app.services.pool.query("update device_authorizations set ip = '203.0.113.9'");
  const { data } = await viewAuthorization(app, userCode, token);
  expect(data.deviceAuthorization).toMatchObject({ ip: "203.0.113.9", isSameNetwork: false });
});

test("returns the same error for codes that are mistyped, unknown, expired or already decided by another user", async () => {
  const expired = await openAuthorization(app);
  app.clock.setOffset(16 * MINUTE);
  const others = await openAuthorization(app);
  const stranger = await createUser(app);
  const licence = await createLicence(app, stranger);
  const theirs = await signInAs(app, stranger);
  const mine = await signInAs(app, user);
  await confirmAuthorization(app, { userCode: others.userCode, licenceId: licence.id }, theirs);
  const wrong = ["x", "BBBB-BBBB", "1234-5678", expired.userCode, others.userCode];
  const responses = new Set<string>();
  for (const userCode of wrong)
    for (const { errors } of [
      await viewAuthorization(app, userCode, mine),
      await denyAuthorization(app, userCode, mine),
      await confirmAuthorization(app, { userCode, licenceId: licence.id }, mine),
    ])
      responses.add(JSON.stringify(errors?.map(({ message, extensions }) => [message, extensions])));
  expect(responses.size).toBe(1);
  expect([...responses][0]).toContain("This code is not valid or has expired.");
  // The user who decided still finds it.
  expect((await viewAuthorization(app, others.userCode, theirs)).data.deviceAuthorization.state).toBe("CONFIRMED");
});

test("shows an authorization as expired if the add-in polls too late", async () => {
  const { open } = await createConfirmed();
  expect(await getState(open.userCode)).toBe("CONFIRMED");
  app.clock.setOffset(16 * MINUTE);
  const later = await signInAs(app, user);
  expect((await viewAuthorization(app, open.userCode, later)).data.deviceAuthorization.state).toBe("EXPIRED");
  const licence = await createLicence(app, user);
  const again = await confirmAuthorization(app, { userCode: open.userCode, licenceId: licence.id }, later);
  expect(again.data.confirmDeviceAuthorization.state).toBe("EXPIRED");
});

test("shows a refused authorization as expired once it can't be confirmed again", async () => {
  const { licence, open } = await createConfirmed();
  await callAddin(app, "activate", licence);
  expect((await pollAuthorization(app, open)).json.data.resultCode).toBe(22);
  expect(await getState(open.userCode)).toBe("REFUSED");
  app.clock.setOffset(16 * MINUTE);
  const later = await signInAs(app, user);
  expect((await viewAuthorization(app, open.userCode, later)).data.deviceAuthorization.state).toBe("EXPIRED");
});

test("accepts only the customer's own active licences", async () => {
  const { userCode } = await openAuthorization(app);
  const foreign = await createLicence(app, await createUser(app));
  const revoked = await createLicence(app, user, { revokedAt: app.clock.now() });
  const expired = await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), -SECOND) });
  for (const licenceId of [foreign.id, "nonsense", "00000000-0000-4000-8000-000000000000"])
    expect(getErrorCode(await confirmAuthorization(app, { userCode, licenceId }, token))).toBe("NOT_FOUND");
  for (const { id: licenceId } of [revoked, expired]) {
    const { errors } = await confirmAuthorization(app, { userCode, licenceId }, token);
    expect(errors?.[0]?.extensions.fields).toEqual({
      licenceId: ["This licence is not active. Please choose another."],
    });
  }
  expect(await getState(userCode)).toBe("PENDING");
});

test("replaces the chosen device on a full licence and counts the deactivation", async () => {
  const owner = await createCorporateUser(app);
  const theirs = await signInAs(app, owner);
  const licence = await createLicence(app, owner);
  const old = await createDevice(app, licence);
  const open = await openAuthorization(app);
  const { userCode } = open;
  const choose = (more = {}) => confirmAuthorization(app, { userCode, licenceId: licence.id, ...more }, theirs);
  const getFieldError = async (replaceDeviceId?: string) =>
    (await choose(replaceDeviceId ? { replaceDeviceId } : {})).errors?.[0]?.extensions.fields?.replaceDeviceId?.[0];
  expect(await getFieldError()).toContain("as many devices as it allows");
  const foreign = await createDevice(app, await createLicence(app, user));
  for (const id of [foreign.id, "nonsense", "a\u0001b"]) expect(await getFieldError(id)).toEqual(expect.any(String));
  expect((await choose({ replaceDeviceId: old.id.toUpperCase() })).data.confirmDeviceAuthorization.state).toBe(
    "CONFIRMED",
  );
  expect((await em().findOneOrFail(Device, old.id)).freedAt).toBeNull();

  expect((await pollAuthorization(app, open)).json.data.resultCode).toBe(1);
  expect((await em().findOneOrFail(Device, old.id)).freedAt).not.toBeNull();
  expect(await em().count(Deactivation, { user: owner.id, by: "customer" })).toBe(1);
  // Polling again doesn't deactivate another device.
  expect((await pollAuthorization(app, open)).json.data.resultCode).toBe(1);
  expect(await em().count(Deactivation, { user: owner.id, by: "customer" })).toBe(1);
});

test("refuses to replace a device with a licence file, or beyond the deactivation limit", async () => {
  const { user: owner, token: theirs } = await createSignedIn(app, { annualDeactivationLimit: 0 });
  const licence = await createLicence(app, owner, { numberOfMachines: 2 });
  const offline = await createDevice(app, licence, { offlineUntil: addMilliseconds(app.clock.now(), MINUTE) });
  const old = await createDevice(app, licence);
  const { userCode } = await openAuthorization(app);
  const getFieldError = async (replaceDeviceId: string) =>
    (await confirmAuthorization(app, { userCode, licenceId: licence.id, replaceDeviceId }, theirs)).errors?.[0]
      ?.extensions.fields?.replaceDeviceId?.[0];
  expect(await getFieldError(offline.id)).toContain("offline licence file");
  expect(await getFieldError(old.id)).toContain("deactivation limit");
});

test("replaces no device if the licence isn't full", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 2 });
  const other = await createDevice(app, licence);
  const open = await openAuthorization(app);
  await confirmAuthorization(app, { userCode: open.userCode, licenceId: licence.id, replaceDeviceId: other.id }, token);
  expect([(await pollAuthorization(app, open)).json.data.resultCode, await activeDevices(licence)]).toEqual([1, 2]);
});

test("keeps the first confirmation until the add-in has polled", async () => {
  const { licence, open } = await createConfirmed();
  const other = await createLicence(app, user);
  for (const licenceId of [licence.id, other.id])
    expect(
      (await confirmAuthorization(app, { userCode: open.userCode, licenceId }, token)).data.confirmDeviceAuthorization
        .licenceId,
    ).toBe(licence.id);
  expect((await pollAuthorization(app, open)).json.data.licence.id).toBe(licence.id);
});
