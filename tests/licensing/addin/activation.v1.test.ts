import { describe, expect, test } from "vitest";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { callAddin, callAddinFrom, buildMachine, toMachine } from "#tests/factories/addin.ts";
import { blockMachine, createDevice, createLicence, createExpiredLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app);

const activeDevices = (licence: { id: string }) => em().count(Device, { licence: licence.id, freedAt: null });
const listEvents = (licence: { id: string }) =>
  em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });

test("activates a device by a code as users type it, and returns a token that validates and stays the same", async () => {
  const licence = await createLicence(app, user);
  const me = buildMachine();
  const typed = licence.licenceCode.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
  const { status, json } = await callAddin(app, "activate", { licenceCode: typed }, { machine: me });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ valid: true, resultCode: 1, code: "VALID", warnings: [] });
  const again = (await callAddin(app, "activate", licence, { machine: me })).json.data;
  expect(again).toMatchObject({ machine: { id: json.data.machine.id }, machineToken: json.data.machineToken });
  expect(await activeDevices(licence)).toBe(1);
  const validated = await callAddin(app, "validate", licence, { machine: me, machineToken: json.data.machineToken });
  expect(validated.json.data).toMatchObject({ valid: true, machine: { id: json.data.machine.id } });
  expect(validated.json.data).not.toHaveProperty("machineToken");
});

test("recognises a device after its fingerprint has drifted, and stores the new fingerprint", async () => {
  const licence = await createLicence(app, user);
  const me = buildMachine();
  const activatedAs = async (machine: object) =>
    (await callAddin(app, "activate", licence, { machine })).json.data.machine.id;
  const id = await activatedAs(me);
  const drifted = { ...me, fingerprint: "drifted-once", components: { ...me.components, disk: "new", mac: "new" } };
  expect(await activatedAs(drifted)).toBe(id);
  // Half of the original components have changed by now, so only the stored drift identifies the device.
  const components = { ...drifted.components, cpu: "x", board: "x" };
  expect(await activatedAs({ ...drifted, fingerprint: "drifted-twice", components })).toBe(id);
  const unread = { ...components, board: null };
  expect(await activatedAs({ ...drifted, fingerprint: "drifted-again", components: unread })).toBe(id);
  expect(await activeDevices(licence)).toBe(1);
});

test("rejects more devices than the licence allows, even of the same name, until one is deactivated", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 2 });
  const me = buildMachine({ machineName: "TWIN" });
  const first = (await callAddin(app, "activate", licence, { machine: me })).json.data;
  await callAddin(app, "activate", licence);
  const twin = buildMachine({ machineName: "TWIN" });
  expect((await callAddin(app, "activate", licence, { machine: twin })).json.data.resultCode).toBe(22);
  const token = { machine: me, machineToken: first.machineToken };
  await callAddin(app, "deactivate", licence, { ...token, reason: "Device change" });
  // A deactivated device becomes a new device with a new token.
  const second = (await callAddin(app, "activate", licence, { machine: me })).json.data;
  expect(second.resultCode).toBe(1);
  expect(second.machine.id).not.toBe(first.machine.id);
  expect(second.machineToken).not.toBe(first.machineToken);
  expect((await callAddin(app, "validate", licence, token)).json.data.resultCode).toBe(21);
});

describe("refused activation", () => {
  test("runs its checks in the protocol's order: account, blocked, revoked, suspended, expired, virtual machine, limit, usage", async () => {
    const owner = await createUser(app);
    const now = app.clock.now();
    const licence = await createLicence(app, owner, {
      revokedAt: now,
      suspendedAt: now,
      expiresAt: addMilliseconds(now, -HOUR),
      usageLimit: 1,
      usageCount: 1,
    });
    await createDevice(app, licence);
    const me = buildMachine({ machineName: "Blocked-1|site", isVm: true });
    await blockMachine(app, owner, "BLOCKED-1");
    const { pool } = app.services;
    const set = (table: string, column: string, value: unknown) =>
      pool.query(`update ${table} set ${column} = $1 where ${table === "users" ? "id" : "user_id"} = $2`, [
        value,
        owner.id,
      ]);
    await set("users", "archived_at", now);

    const answers: number[] = [];
    for (const repair of [
      async () => {},
      () => set("users", "archived_at", null),
      () => pool.query("delete from blocked_machines where user_id = $1", [owner.id]),
      () => set("licences", "revoked_at", null),
      () => set("licences", "suspended_at", null),
      () => set("licences", "expires_at", addMilliseconds(now, HOUR)),
      () => set("licences", "allow_on_vms", true),
      () => set("licences", "number_of_machines", 2),
      () => set("licences", "usage_count", 0),
    ]) {
      await repair();
      answers.push((await callAddin(app, "activate", licence, { machine: me })).json.data.resultCode);
    }
    expect(answers).toEqual([11, 20, 12, 13, 14, 24, 22, 41, 1]);
    // The history includes every attempt with its result, even the blocked one.
    expect((await listEvents(licence)).map((event) => event.resultCode)).toEqual(answers);
  });

  test("refuses a machine blocked by its full name on all of the user's licences, but not on other users' licences", async () => {
    const owner = await createUser(app);
    await blockMachine(app, owner, "PC|Site");
    const code = async (of: typeof owner, machineName: string) =>
      (await callAddin(app, "activate", await createLicence(app, of), { machine: buildMachine({ machineName }) })).json
        .data.resultCode;
    expect([await code(owner, "pc|SITE"), await code(owner, "PC"), await code(user, "PC|Site")]).toEqual([20, 1, 1]);
  });
});

test("deactivates the old device, counts the deactivation, activates the new device and notifies the owner", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const old = await createDevice(app, licence, { machineName: "OLD-PC|site" });
  const machine = buildMachine({ machineName: "NEW-PC|site" });
  const { json } = await callAddin(app, "activate", licence, { machine, replaceMachineId: old.id });
  expect([json.data.resultCode, await activeDevices(licence)]).toEqual([1, 1]);
  expect(await em().find(Deactivation, { user: owner.id })).toMatchObject([
    { by: "customer", reason: "Replaced by NEW-PC" },
  ]);
  expect((await callAddinFrom(app, old, "validate", licence)).json.data.resultCode).toBe(21);
  const [mail] = await listEmailsTo(app, owner.email);
  for (const part of ["OLD-PC", "Replaced by: NEW-PC"]) expect(mail?.text).toContain(part);
  expect(mail?.text).not.toContain("You can activate another device");
});

test("deactivates only one device when repeated after a lost answer", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner, { numberOfMachines: 2 });
  const [old, other] = [await createDevice(app, licence), await createDevice(app, licence)];
  const me = buildMachine();
  for (const replaceMachineId of [old.id, old.id, other.id]) {
    const { json } = await callAddin(app, "activate", licence, { machine: me, replaceMachineId });
    expect(json.data.resultCode).toBe(1);
  }
  expect([await activeDevices(licence), await em().count(Deactivation, { user: owner.id })]).toEqual([2, 1]);
});

test("a replacement changes nothing if the owner has reached the deactivation limit or the old device has a licence file", async () => {
  const offlineUntil = addMilliseconds(app.clock.now(), DAY);
  for (const [limit, changes, resultCode] of [
    [0, {}, 3],
    [3, { offlineUntil }, 25],
  ] as const) {
    const licence = await createLicence(app, await createUser(app, { annualDeactivationLimit: limit }));
    const old = await createDevice(app, licence, changes);
    const { json } = await callAddin(app, "activate", licence, { replaceMachineId: old.id });
    expect(json.data).toMatchObject({ valid: false, resultCode });
    expect((await callAddinFrom(app, old, "validate", licence)).json.data.valid).toBe(true);
  }
});

test("ignores a device on another licence", async () => {
  const owner = await createUser(app);
  const [licence, other] = [await createLicence(app, owner), await createLicence(app, owner)];
  await createDevice(app, licence);
  const foreign = await createDevice(app, other);
  expect((await callAddin(app, "activate", licence, { replaceMachineId: foreign.id })).json.data.resultCode).toBe(22);
  expect((await callAddinFrom(app, foreign, "validate", other)).json.data.valid).toBe(true);
});

test("a replacement keeps the device if a machine replaces its own activation", async () => {
  const licence = await createLicence(app, await createUser(app));
  const device = await createDevice(app, licence);
  const { json } = await callAddin(app, "activate", licence, {
    machine: toMachine(device),
    replaceMachineId: device.id,
  });
  expect(json.data.machine.id).toBe(device.id);
});

const reason = "Device change";

test("deactivates the device, counts and records the deactivation, and notifies the owner", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const device = await createDevice(app, licence, { machineName: "SITE-PC|domain" });
  const { status, json } = await callAddinFrom(app, device, "deactivate", licence, { reason });
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    valid: true,
    resultCode: 1,
    message: "The device was deactivated.",
    machine: { id: device.id },
    deactivationsRemaining: 2,
  });
  // The answer contains nothing that would let an add-in keep running.
  for (const member of ["licence", "graceUntilUtc"]) expect(json.data).not.toHaveProperty(member);
  expect((await em().findOneOrFail(Device, device.id)).freedAt).not.toBeNull();
  expect(await em().findOne(LicenceEvent, { deviceId: device.id })).toMatchObject({
    kind: "deactivate",
    resultCode: 1,
  });
  const [mail] = await listEmailsTo(app, owner.email);
  expect(mail?.text).toContain("SITE-PC");
  expect(mail?.text).not.toContain("domain");
});

test("counts once when repeated after a lost answer, and returns 3 beyond the owner's limit, also on an expired licence", async () => {
  const owner = await createUser(app, { annualDeactivationLimit: 1 });
  const licence = await createExpiredLicence(app, owner);
  const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
  const deactivated = async (device: Device) =>
    (await callAddinFrom(app, device, "deactivate", licence, { reason })).json.data;
  expect(await deactivated(first)).toMatchObject({ resultCode: 1, deactivationsRemaining: 0 });
  expect((await deactivated(first)).resultCode).toBe(21);
  expect(await deactivated(second)).toMatchObject({ valid: false, resultCode: 3, deactivationsRemaining: 0 });
  expect((await em().findOneOrFail(Device, second.id)).freedAt).toBeNull();
  const [mail] = await listEmailsTo(app, owner.email);
  expect(mail?.text).not.toContain("You can activate another device");
});

test("a deactivation in the add-in is refused for an archived account, and requires a reason", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const device = await createDevice(app, licence);
  const from = (changes: Record<string, unknown>) =>
    callAddinFrom(app, device, "deactivate", licence, { reason, ...changes });
  expect((await from({ reason: " " })).json).toEqual({ reason: ["Please state your reason for deactivation."] });
  await app.services.pool.query("update users set archived_at = $1 where id = $2", [app.clock.now(), owner.id]);
  expect((await from({})).json.data.resultCode).toBe(11);
  expect((await em().findOneOrFail(Device, device.id)).freedAt).toBeNull();
});
