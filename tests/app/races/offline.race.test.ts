import { expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { machineOf, question } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { besideAnother } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await besideAnother(app);
const ROUNDS = 20;
const AT_ONCE = 20;
const owner = await createUser(app, { annualDeactivationLimit: 1_000 });
const token = await signInAs(app, owner);

const offline = async (body: object) => {
  const { status } = await call("POST", "/v1/licence/offline", { requestFile: JSON.stringify(body) }, token);
  return status;
};
const online = async (body: object) => {
  const { json } = await call("POST", "/v1/licence/activate", body);
  return json.data.resultCode as number;
};
const activeDevices = (licenceId: string) =>
  app.services.orm.em.fork().find(Device, { licence: licenceId, freedAt: null });

test("20 machines that activate offline on a one-device licence get one file between them, two processes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, owner);
    const all = Array.from({ length: AT_ONCE }, () => question(app, licence.licenceCode));
    const answers = await Promise.all(all.map(offline));
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => status === 409)).toHaveLength(AT_ONCE - 1);
    expect(await activeDevices(licence.id)).toHaveLength(1);
  }
}, 120_000);

test("offline and online activations take turns: one place between ten of each", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, owner);
    const asks = Array.from({ length: AT_ONCE }, (_, index) => ({
      body: question(app, licence.licenceCode),
      ask: index % 2 ? offline : online,
    }));
    const answers = await Promise.all(asks.map(({ ask, body }) => ask(body)));
    expect(answers.filter((answer) => answer === 200 || answer === 1)).toHaveLength(1);
    expect(await activeDevices(licence.id)).toHaveLength(1);
  }
}, 120_000);

test("a device that is freed while it activates offline never keeps a file without its place", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const licence = await createLicence(app, owner, { numberOfMachines: 1 });
    const device = await createDevice(app, licence);
    const body = question(app, licence.licenceCode, { machine: machineOf(device) });
    const free = () => call("PUT", `/v1/licence/machine/${device.id}/deactivate`, { reason: "Device change" }, token);
    const order = round % 2 ? [free(), offline(body)] : [offline(body), free()];
    await Promise.all(order);
    const [active, ...others] = await activeDevices(licence.id);
    expect(others).toEqual([]);
    // A file is given in either order: for this device, or for the next one of the same machine.
    expect(active?.offlineUntil ?? null).not.toBeNull();
    const freed = await app.services.orm.em.fork().find(Device, { licence: licence.id, freedAt: { $ne: null } });
    expect(freed.filter((one) => one.offlineUntil)).toEqual([]);
  }
}, 120_000);
