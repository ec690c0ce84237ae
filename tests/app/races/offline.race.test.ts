import { expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { toMachine, buildRequest } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 20;
const AT_ONCE = 20;
const owner = await createUser(app, { annualDeactivationLimit: 1_000 });
const token = await signInAs(app, owner);

const activateOffline = async (body: object) => {
  const { status } = await call("POST", "/v1/licence/offline", { requestFile: JSON.stringify(body) }, token);
  return status;
};
const activateOnline = async (body: object) => {
  const { json } = await call("POST", "/v1/licence/activate", body);
  return json.data.resultCode as number;
};
const findActiveDevices = (licenceId: string) =>
  app.services.orm.em.fork().find(Device, { licence: licenceId, freedAt: null });

test("issues only one file when 20 machines activate a single-device licence offline concurrently across two processes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, owner);
    const all = Array.from({ length: AT_ONCE }, () => buildRequest(app, licence.licenceCode));
    const answers = await Promise.all(all.map(activateOffline));
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => status === 409)).toHaveLength(AT_ONCE - 1);
    expect(await findActiveDevices(licence.id)).toHaveLength(1);
  }
}, 120_000);

test("activates only one device when offline and online activations run concurrently", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, owner);
    const requests = Array.from({ length: AT_ONCE }, (_, index) => ({
      body: buildRequest(app, licence.licenceCode),
      send: index % 2 ? activateOffline : activateOnline,
    }));
    const answers = await Promise.all(requests.map(({ send, body }) => send(body)));
    expect(answers.filter((answer) => answer === 200 || answer === 1)).toHaveLength(1);
    expect(await findActiveDevices(licence.id)).toHaveLength(1);
  }
}, 120_000);

test("leaves no licence file on a device that is deactivated during its offline activation", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, owner, { numberOfMachines: 1 });
    const device = await createDevice(app, licence);
    const body = buildRequest(app, licence.licenceCode, { machine: toMachine(device) });
    const deactivate = () =>
      call("PUT", `/v1/licence/machine/${device.id}/deactivate`, { reason: "Device change" }, token);
    const order = round % 2 ? [deactivate(), activateOffline(body)] : [activateOffline(body), deactivate()];
    await Promise.all(order);
    const [active, ...others] = await findActiveDevices(licence.id);
    expect(others).toEqual([]);
    // A file is issued in both orders: for this device, or for a new device of the same machine.
    expect(active?.offlineUntil ?? null).not.toBeNull();
    const deactivated = await app.services.orm.em.fork().find(Device, { licence: licence.id, freedAt: { $ne: null } });
    expect(deactivated.filter((one) => one.offlineUntil)).toEqual([]);
  }
}, 120_000);
