import { expect, test, afterEach } from "vitest";
import { DeviceAuthorization } from "#api/licensing/device-authorizations/device-authorization.entity.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import {
  confirmAuthorization,
  denyAuthorization,
  viewAuthorization,
  openAuthorization,
  pollAuthorization,
  requestAuthorization,
  openConfirmed,
} from "#tests/factories/device-authorization.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createSignedIn } from "#tests/factories/user.ts";
import { readProof } from "#tests/support/proof.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const { user, token } = await createSignedIn(app);
const activeDevices = (licence: { id: string }) => em().count(Device, { licence: licence.id, freedAt: null });
const getState = async (userCode: string) =>
  (await viewAuthorization(app, userCode, token)).data.deviceAuthorization.state;

async function createConfirmed(changes: Record<string, unknown> = {}) {
  const licence = await createLicence(app, user);
  return { licence, open: await openConfirmed(app, licence, token, buildMachine(changes)) };
}

test("returns a user code, a device code and the address of the portal page", async () => {
  const { status, json } = await requestAuthorization(app);
  expect(status).toBe(200);
  expect(json).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${app.services.config.publicUrl}/activate/`,
    verification_uri_complete: `${app.services.config.publicUrl}/activate/?code=${json.user_code}`,
    expires_in: 900,
    interval: 5,
  });
});

test("stores neither code in plain text, and rejects unknown clients and requests without an identifiable machine", async () => {
  const { deviceCode, userCode } = await openAuthorization(app);
  const rows = JSON.stringify(await em().find(DeviceAuthorization, {}));
  expect(rows).not.toContain(deviceCode);
  expect(rows).not.toContain(userCode.replace("-", ""));
  expect(await requestAuthorization(app, { clientId: "portal" })).toMatchObject({
    status: 400,
    json: { clientId: ["Client id is not known."] },
  });
  for (const machine of [undefined, buildMachine({ fingerprint: "0000-0000" })]) {
    const { status, json } = await requestAuthorization(app, { machine });
    expect(status).toBe(400);
    expect(json).toHaveProperty(["machine.fingerprint"]);
  }
});

test("returns authorization_pending, and adds 5 seconds to the interval for each early poll", async () => {
  const open = await openAuthorization(app);
  const errorAfter = async (seconds: number) => {
    app.clock.setOffset(app.clock.offsetMs + seconds * SECOND);
    const { status, json } = await pollAuthorization(app, open);
    expect([status, json.error_description]).toEqual([400, expect.any(String)]);
    return json.error;
  };
  expect([await errorAfter(0), await errorAfter(5)]).toEqual(["authorization_pending", "authorization_pending"]);
  expect([await errorAfter(4), await errorAfter(6)]).toEqual(["slow_down", "slow_down"]);
  expect([await errorAfter(15), await errorAfter(14)]).toEqual(["authorization_pending", "slow_down"]);
  // A clock that was set back doesn't count as an early poll.
  expect(await errorAfter(-3_600)).toBe("authorization_pending");
});

test("activates the machine on the chosen licence and returns the licence code with a proof", async () => {
  const { licence, open } = await createConfirmed();
  const { status, json } = await pollAuthorization(app, open);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    valid: true,
    resultCode: 1,
    licenceCode: licence.licenceCode,
    licence: { id: licence.id },
    machineToken: expect.any(String),
  });
  const { json: jwks } = await app.rest("GET", "/v1/licence/signing-keys");
  expect(readProof(json.proof, jwks)?.payload).toMatchObject({
    data: json.data,
    fingerprint: open.machine.fingerprint,
  });
  const validated = await callAddin(app, "validate", licence, {
    machine: open.machine,
    machineToken: json.data.machineToken,
  });
  expect([validated.json.data.valid, await getState(open.userCode)]).toEqual([true, "ACTIVATED"]);
  const events = await em().find(LicenceEvent, { licenceId: licence.id });
  expect(events.map(({ kind, resultCode }) => [kind, resultCode])).toContainEqual(["activate", 1]);
});

test("returns the same device and token again until the code expires, in any letter case of a hexadecimal fingerprint", async () => {
  const { licence, open } = await createConfirmed({ fingerprint: "4f7c1e9a2b63" });
  const first = (await pollAuthorization(app, open)).json.data;
  const machine = { ...open.machine, fingerprint: "4F7C1E9A2B63" };
  const again = (await pollAuthorization(app, { ...open, machine })).json.data;
  expect(again.machine.id).toBe(first.machine.id);
  expect(again.machineToken).toBe(first.machineToken);
  expect(await activeDevices(licence)).toBe(1);
  app.clock.setOffset(15 * MINUTE);
  expect((await pollAuthorization(app, open)).json.error).toBe("expired_token");
});

test("does not activate a device again after it was deactivated", async () => {
  const { licence, open } = await createConfirmed();
  const { data } = (await pollAuthorization(app, open)).json;
  await callAddin(app, "deactivate", licence, {
    machine: open.machine,
    machineToken: data.machineToken,
    reason: "Device change",
  });
  const again = (await pollAuthorization(app, open)).json.data;
  expect(again).toMatchObject({ valid: false, resultCode: 21 });
  expect(again).not.toHaveProperty("licenceCode");
  expect([await activeDevices(licence), await getState(open.userCode)]).toEqual([0, "ACTIVATED"]);
});

test("denies polls from another machine and records them in the licence history", async () => {
  const { licence, open } = await createConfirmed();
  const { status, json } = await pollAuthorization(app, open, { machine: buildMachine() });
  expect([status, json.error]).toEqual([400, "access_denied"]);
  expect((await pollAuthorization(app, open, { machine: buildMachine() })).json.error).toBe("slow_down");
  expect(await em().count(LicenceEvent, { licenceId: licence.id, resultCode: 23 })).toBe(1);
  expect((await pollAuthorization(app, open)).json.data.valid).toBe(true);
});

test("returns access_denied after the customer has denied the device", async () => {
  const open = await openAuthorization(app);
  expect((await denyAuthorization(app, open.userCode, token)).data.denyDeviceAuthorization.state).toBe("DENIED");
  expect((await pollAuthorization(app, open)).json.error).toBe("access_denied");
  const licence = await createLicence(app, user);
  const late = await confirmAuthorization(app, { userCode: open.userCode, licenceId: licence.id }, token);
  expect(late.data.confirmDeviceAuthorization.state).toBe("DENIED");
  expect((await pollAuthorization(app, open)).json.error).toBe("access_denied");
});

test("returns the reason if the activation is refused, and the code can be confirmed again", async () => {
  const { licence, open } = await createConfirmed();
  // Another machine is activated between the confirmation and the poll.
  await callAddin(app, "activate", licence);
  const { json, headers } = await pollAuthorization(app, open);
  const refused = json.data;
  expect(headers.get("link")).toContain("/device-limit-reached/");
  expect(refused).toMatchObject({ valid: false, resultCode: 22, code: "MACHINE_LIMIT_EXCEEDED" });
  expect(refused).not.toHaveProperty("licenceCode");
  const seen = (await viewAuthorization(app, open.userCode, token)).data.deviceAuthorization;
  expect(seen).toMatchObject({ state: "REFUSED", message: expect.stringContaining("already in use") });

  const emptyLicence = await createLicence(app, user);
  const again = await confirmAuthorization(app, { userCode: open.userCode, licenceId: emptyLicence.id }, token);
  expect(again.data.confirmDeviceAuthorization).toMatchObject({ state: "CONFIRMED", message: null });
  expect((await pollAuthorization(app, open)).json.data).toMatchObject({
    valid: true,
    licenceCode: emptyLicence.licenceCode,
  });
});

test("purges authorizations a day after they expired", async () => {
  const { open } = await createConfirmed();
  app.clock.setOffset(24 * 60 * MINUTE);
  await findPurge("device-authorizations").run(app.context());
  expect((await pollAuthorization(app, open)).json.error).toBe("expired_token");
  app.clock.setOffset(24 * 60 * MINUTE + 16 * MINUTE);
  await findPurge("device-authorizations").run(app.context());
  expect((await pollAuthorization(app, open)).json.error).toBe("invalid_grant");
});
