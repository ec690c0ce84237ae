import { expect, test } from "vitest";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { buildMachine, buildRequest, buildRequestFrom, toMachine } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { atOnce, crowds, ROUNDS } from "#tests/support/crowds.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts, alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const anyProcess = await alternateContexts(app);

const AT_ONCE = 50;

/** Sends the activations concurrently and counts their result codes. */
async function activateAll(bodies: object[]): Promise<Record<number, number>> {
  const answers = await Promise.all(bodies.map((body) => call("POST", "/v1/licence/activate", body)));
  expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
  const counts: Record<number, number> = {};
  for (const { json } of answers) counts[json.data.resultCode] = (counts[json.data.resultCode] ?? 0) + 1;
  return counts;
}

const toRequest = (licence: Licence) =>
  ({ ...buildRequest(app, licence.licenceCode), clientTimeUtc: app.clock.now() }) as never;

const activeDevices = (licenceId: string) =>
  app.services.orm.em.fork().count(Device, { licence: licenceId, freedAt: null });

const timeout = 240_000;
test.each(crowds)("of %i devices at once, activates %i (%i rounds)", { timeout }, async (many, limit, rounds) => {
  const user = await createUser(app);
  const given = Math.min(many, limit);
  for (let round = 0; round < rounds; round++) {
    const licence = await createLicence(app, user, { numberOfMachines: limit });
    const answers = await atOnce(many, () => retryUntilDone(() => activateDevice(anyProcess(), toRequest(licence))));
    expect(answers.filter(({ code }) => code === "VALID")).toHaveLength(given);
    expect(answers.filter(({ code }) => code === "MACHINE_LIMIT_EXCEEDED")).toHaveLength(many - given);
    expect(await activeDevices(licence.id)).toBe(given);
  }
});

test("never exceeds the device limit with concurrent swaps and activations across two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 10 });
    const licence = await createLicence(app, user, { numberOfMachines: 2 });
    const old = await createDevice(app, licence);
    const counts = await activateAll(
      Array.from({ length: 20 }, (_, n) =>
        buildRequest(app, licence.licenceCode, n % 2 ? { replaceMachineId: old.id } : {}),
      ),
    );
    // One activation takes the unused slot and another one takes the old device's slot. Either of them may be the swap.
    const swapped = await app.services.orm.em.fork().count(Deactivation, { user: user.id });
    expect(counts).toEqual({ 1: 1 + swapped, 22: 19 - swapped });
    expect(await activeDevices(licence.id)).toBe(2);
  }
});

test("creates one device for 50 concurrent activations of one machine across two processes", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of50; round++) {
    const licence = await createLicence(app, user, { numberOfMachines: 5 });
    const me = buildMachine();
    const same = () => buildRequest(app, licence.licenceCode, { machine: me });
    expect(await activateAll(Array.from({ length: AT_ONCE }, same))).toEqual({ 1: AT_ONCE });
    expect(await activeDevices(licence.id)).toBe(1);
  }
});

test("deactivates a device once if 20 machines replace it concurrently across two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 10 });
    const licence = await createLicence(app, user);
    const old = await createDevice(app, licence);
    const swap = () => buildRequest(app, licence.licenceCode, { replaceMachineId: old.id });
    expect(await activateAll(Array.from({ length: 20 }, swap))).toEqual({ 1: 1, 22: 19 });
    expect(await activeDevices(licence.id)).toBe(1);
    expect(await app.services.orm.em.fork().count(Deactivation, { user: user.id })).toBe(1);
  }
});

const reason = "Device change";

test("deactivates a device once and counts it once for 50 concurrent requests from the portal and the add-in", async () => {
  for (let round = 0; round < ROUNDS.of50; round++) {
    const { user, token } = await createSignedIn(app, { annualDeactivationLimit: 1_000 });
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    const inPortal = () => call("PUT", `/v1/licence/machine/${device.id}/deactivate`, { reason }, token);
    const inAddin = () => call("POST", "/v1/licence/deactivate", buildRequestFrom(app, device, licence, { reason }));
    const answers = await Promise.all(
      // Requests alternate between the two processes, so switching the kind every four requests sends both kinds to both.
      Array.from({ length: AT_ONCE }, (_, n) => (n % 8 < 4 ? inPortal() : inAddin())),
    );
    const codes = answers.map(({ json }) => json.data?.resultCode ?? json);
    expect(codes.filter((code) => code === 1)).toHaveLength(1);
    expect(codes.filter((code) => code === 2 || code === 21)).toHaveLength(AT_ONCE - 1);
    expect(answers.filter(({ json }) => json.data?.resultCode === 21 && json.data.machine)).toEqual([]);
    expect(await app.services.orm.em.fork().count(Deactivation, { user: user.id })).toBe(1);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  }
});

test("never exceeds the annual deactivation limit with 20 concurrent deactivations", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, token } = await createSignedIn(app, { annualDeactivationLimit: 3 });
    // Each device is on another licence, so that nothing but the customer is locked twice.
    const devices: Device[] = [];
    for (let n = 0; n < 20; n++) devices.push(await createDevice(app, await createLicence(app, user)));
    const answers = await Promise.all(
      devices.map(({ id }) => call("PUT", `/v1/licence/machine/${id}/deactivate`, { reason }, token)),
    );
    const codes = answers.map(({ json }) => json);
    expect(codes.filter((code) => code === 1)).toHaveLength(3);
    expect(codes.filter((code) => code === 3)).toHaveLength(17);
    expect(await app.services.orm.em.fork().count(Device, { licence: { user: user.id }, freedAt: null })).toBe(17);
  }
});

const owner = await createUser(app, { annualDeactivationLimit: 1_000 });
const token = await signInAs(app, owner);

const activateOffline = async (body: object) =>
  (await call("POST", "/v1/licence/offline", { requestFile: JSON.stringify(body) }, token)).status;
const activateOnline = async (body: object): Promise<number> =>
  (await call("POST", "/v1/licence/activate", body)).json.data.resultCode;
const findActiveDevices = (licenceId: string) =>
  app.services.orm.em.fork().find(Device, { licence: licenceId, freedAt: null });

test("activates only one device when offline and online activations run concurrently", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const licence = await createLicence(app, owner);
    const requests = Array.from({ length: 20 }, (_, index) => ({
      body: buildRequest(app, licence.licenceCode),
      send: index % 2 ? activateOffline : activateOnline,
    }));
    const answers = await Promise.all(requests.map(({ send, body }) => send(body)));
    expect(answers.filter((answer) => answer === 200 || answer === 1)).toHaveLength(1);
    expect(await findActiveDevices(licence.id)).toHaveLength(1);
  }
});

test("leaves no licence file on a device that is deactivated during its offline activation", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
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
    const { em } = app.context();
    const deactivated = await em.find(Device, { licence: licence.id, freedAt: { $ne: null } });
    expect(deactivated.filter((one) => one.offlineUntil)).toEqual([]);
  }
});

test("counts 50 concurrent wrong move codes as five and then rejects the right one, across two processes", async () => {
  for (let round = 0; round < ROUNDS.of50; round++) {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const me = buildMachine();
    const toRequest = (more: object = {}) => buildRequest(app, licence.licenceCode, { machine: me, ...more });
    await call("POST", "/v1/licence/move/code", toRequest());
    const [email] = await listEmailsTo(app, owner.email);
    const code = /\b(\d{3} \d{3})\b/.exec(email?.text ?? "")?.[1] ?? "";
    const wrong = code.startsWith("0") ? "111111" : "000000";
    const answers = await atOnce(50, () => call("POST", "/v1/licence/move/devices", toRequest({ emailCode: wrong })));
    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
    expect((await app.services.orm.em.fork().findOneOrFail(MoveCode, { licence: licence.id })).attempts).toBe(5);
    expect((await call("POST", "/v1/licence/move/devices", toRequest({ emailCode: code }))).status).toBe(400);
  }
});

test("leaves one valid move code after concurrent requests from one machine", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const me = buildMachine();
  const toRequest = (more: object = {}) => buildRequest(app, licence.licenceCode, { machine: me, ...more });
  await atOnce(10, () => call("POST", "/v1/licence/move/code", toRequest()));
  const emails = await listEmailsTo(app, owner.email);
  const codes = emails.map(({ text }) => /\b(\d{3} \d{3})\b/.exec(text)?.[1] ?? "");
  // Each code is tried with the attempts reset, so that five wrong ones don't block the right one.
  const right: string[] = [];
  for (const emailCode of codes) {
    await app.services.pool.query("update move_codes set attempts = 0");
    const { status } = await call("POST", "/v1/licence/move/devices", toRequest({ emailCode }));
    if (status === 200) right.push(emailCode);
  }
  expect(codes).toHaveLength(10);
  expect(new Set(right).size).toBe(1);
  expect(await app.services.orm.em.fork().count(MoveCode, { licence: licence.id })).toBe(1);
});
