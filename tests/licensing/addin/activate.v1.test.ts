import { describe, expect, test } from "vitest";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { callAddin, callAddinFrom, buildMachine, toMachine } from "#tests/factories/addin.ts";
import {
  blockMachine,
  createDevice,
  createExpiredLicence,
  createLicence,
  createRevokedLicence,
  createSuspendedLicence,
} from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app);

const activeDevices = (licence: { id: string }) => em().count(Device, { licence: licence.id, freedAt: null });
const listEvents = (licence: { id: string }) =>
  em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });

describe("activate", () => {
  test("activates a device and returns a token that validates", async () => {
    const licence = await createLicence(app, user);
    const me = buildMachine();
    const { status, json } = await callAddin(app, "activate", licence, { machine: me });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ valid: true, resultCode: 1, code: "VALID", warnings: [] });
    const validated = await callAddin(app, "validate", licence, { machine: me, machineToken: json.data.machineToken });
    expect(validated.json.data).toMatchObject({ valid: true, machine: { id: json.data.machine.id } });
    expect(validated.json.data).not.toHaveProperty("machineToken");
  });

  test("accepts a code as users type it", async () => {
    const licence = await createLicence(app, user);
    const typed = licence.licenceCode.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
    const { json } = await callAddin(app, "activate", { licenceCode: typed });
    expect(json.data.resultCode).toBe(1);
  });

  test("returns the same device and token when repeated, and keeps the first token valid", async () => {
    const licence = await createLicence(app, user);
    const me = buildMachine();
    const first = await callAddin(app, "activate", licence, { machine: me });
    const again = await callAddin(app, "activate", licence, { machine: me });
    expect(again.json.data.machine.id).toBe(first.json.data.machine.id);
    expect(again.json.data.machineToken).toBe(first.json.data.machineToken);
    expect(await activeDevices(licence)).toBe(1);
    const validated = await callAddin(app, "validate", licence, {
      machine: me,
      machineToken: first.json.data.machineToken,
    });
    expect(validated.json.data.valid).toBe(true);
  });

  test("recognises a device after its fingerprint has drifted, and stores the new fingerprint", async () => {
    const licence = await createLicence(app, user);
    const me = buildMachine();
    const first = await callAddin(app, "activate", licence, { machine: me });
    const drifted = { ...me, fingerprint: "drifted-once", components: { ...me.components, disk: "new", mac: "new" } };
    const again = await callAddin(app, "activate", licence, { machine: drifted });
    expect(again.json.data.machine.id).toBe(first.json.data.machine.id);
    // Half of the original components have changed by now, so only the stored drift identifies the device.
    const twice = {
      ...drifted,
      fingerprint: "drifted-twice",
      components: { ...drifted.components, cpu: "x", board: "x" },
    };
    expect((await callAddin(app, "activate", licence, { machine: twice })).json.data.machine.id).toBe(
      first.json.data.machine.id,
    );
    expect(await activeDevices(licence)).toBe(1);
  });

  test("never identifies a device by its name", async () => {
    const licence = await createLicence(app, user);
    await callAddin(app, "activate", licence, { machine: buildMachine({ machineName: "TWIN" }) });
    const twin = await callAddin(app, "activate", licence, { machine: buildMachine({ machineName: "TWIN" }) });
    expect(twin.json.data.resultCode).toBe(22);
  });

  test("rejects more devices than the licence allows, until one is deactivated", async () => {
    const licence = await createLicence(app, user, { numberOfMachines: 2 });
    const first = buildMachine();
    const { json } = await callAddin(app, "activate", licence, { machine: first });
    await callAddin(app, "activate", licence);
    const third = buildMachine();
    expect((await callAddin(app, "activate", licence, { machine: third })).json.data).toMatchObject({
      valid: false,
      resultCode: 22,
      code: "MACHINE_LIMIT_EXCEEDED",
    });
    await callAddin(app, "deactivate", licence, {
      machine: first,
      machineToken: json.data.machineToken,
      reason: "Device change",
    });
    expect((await callAddin(app, "activate", licence, { machine: third })).json.data.resultCode).toBe(1);
  });

  test("creates a new device with a new token for a deactivated device", async () => {
    const licence = await createLicence(app, user);
    const me = buildMachine();
    const first = (await callAddin(app, "activate", licence, { machine: me })).json.data;
    await callAddin(app, "deactivate", licence, {
      machine: me,
      machineToken: first.machineToken,
      reason: "Device change",
    });
    const second = (await callAddin(app, "activate", licence, { machine: me })).json.data;
    expect(second.machine.id).not.toBe(first.machine.id);
    expect(second.machineToken).not.toBe(first.machineToken);
    const old = await callAddin(app, "validate", licence, { machine: me, machineToken: first.machineToken });
    expect(old.json.data.resultCode).toBe(21);
  });
});

describe("refused activation", () => {
  test("returns 10 for an unknown code and a field error for a mistyped one", async () => {
    const unknown = await callAddin(app, "activate", { licenceCode: generateLicenceCode() });
    expect(unknown.status).toBe(200);
    expect(unknown.json.data).toMatchObject({ valid: false, resultCode: 10, code: "LICENCE_NOT_FOUND" });
    expect(unknown.json.data).not.toHaveProperty("licence");
    const { licenceCode } = await createLicence(app, user);
    const mistyped = licenceCode.slice(0, -1) + (licenceCode.endsWith("7") ? "8" : "7");
    const answer = await callAddin(app, "activate", { licenceCode: mistyped });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      licenceCode: ["This is not a licence code. Please check it for typing mistakes."],
    });
  });

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
    const next = async () =>
      answers.push((await callAddin(app, "activate", licence, { machine: me })).json.data.resultCode);
    await next();
    await set("users", "archived_at", null);
    await next();
    await pool.query("delete from blocked_machines where user_id = $1", [owner.id]);
    await next();
    await set("licences", "revoked_at", null);
    await next();
    await set("licences", "suspended_at", null);
    await next();
    await set("licences", "expires_at", addMilliseconds(now, HOUR));
    await next();
    await set("licences", "allow_on_vms", true);
    await next();
    await set("licences", "number_of_machines", 2);
    await next();
    await set("licences", "usage_count", 0);
    await next();
    expect(answers).toEqual([11, 20, 12, 13, 14, 24, 22, 41, 1]);
    // The history includes every attempt with its result, even the blocked one.
    expect((await listEvents(licence)).map((event) => event.resultCode)).toEqual(answers);
  });

  test.each([
    ["REVOKED", createRevokedLicence, 12],
    ["SUSPENDED", createSuspendedLicence, 13],
    ["EXPIRED", createExpiredLicence, 14],
  ])("refuses a licence that is %s", async (_status, create, resultCode) => {
    const { status, json } = await callAddin(app, "activate", await create(app, user));
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ valid: false, resultCode });
    expect(json.data).not.toHaveProperty("machineToken");
    expect(json.data).not.toHaveProperty("graceUntilUtc");
  });

  test("refuses a machine blocked by its full name on all of the user's licences, but not on other users' licences", async () => {
    const owner = await createUser(app);
    await blockMachine(app, owner, "PC|Site");
    const code = async (of: typeof owner, machineName: string) =>
      (await callAddin(app, "activate", await createLicence(app, of), { machine: buildMachine({ machineName }) })).json
        .data.resultCode;
    expect(await code(owner, "pc|SITE")).toBe(20);
    expect(await code(owner, "PC|SITE")).toBe(20);
    expect(await code(owner, "PC")).toBe(1);
    expect(await code(user, "PC|Site")).toBe(1);
  });

  test("rejects a body with missing or invalid fields and names each field", async () => {
    const { status, json } = await app.rest("POST", "/v1/licence/activate", {
      body: { machine: { isVm: "yes", components: { cpu: 1 } }, clientTimeUtc: "yesterday" },
    });
    expect(status).toBe(400);
    expect(Object.keys(json).toSorted()).toEqual([
      "addInVersion",
      "clientTimeUtc",
      "hostVersion",
      "licenceCode",
      "machine.components",
      "machine.fingerprint",
      "machine.isVm",
      "machine.machineName",
      "nonce",
    ]);
  });
});

describe("activation that replaces a device", () => {
  test("deactivates the old device, counts the deactivation, activates the new device and notifies the owner", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const old = await createDevice(app, licence, { machineName: "OLD-PC|site" });
    const { json } = await callAddin(app, "activate", licence, { replaceMachineId: old.id });
    expect(json.data.resultCode).toBe(1);
    expect(await activeDevices(licence)).toBe(1);
    expect(await em().count(Deactivation, { user: owner.id, by: "customer" })).toBe(1);
    expect((await callAddinFrom(app, old, "validate", licence)).json.data.resultCode).toBe(21);
    const [mail] = await listEmailsTo(app, owner.email);
    expect(mail?.text).toContain("OLD-PC");
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
    expect(await activeDevices(licence)).toBe(2);
    expect(await em().count(Deactivation, { user: owner.id })).toBe(1);
  });

  test("changes nothing once the owner has reached the deactivation limit", async () => {
    const owner = await createUser(app, { annualDeactivationLimit: 0 });
    const licence = await createLicence(app, owner);
    const old = await createDevice(app, licence);
    const { json } = await callAddin(app, "activate", licence, { replaceMachineId: old.id });
    expect(json.data).toMatchObject({ valid: false, resultCode: 3 });
    expect((await callAddinFrom(app, old, "validate", licence)).json.data.valid).toBe(true);
  });

  test("is refused if the old device has a licence file", async () => {
    const licence = await createLicence(app, await createUser(app));
    const old = await createDevice(app, licence, { offlineUntil: addMilliseconds(app.clock.now(), DAY) });
    expect((await callAddin(app, "activate", licence, { replaceMachineId: old.id })).json.data.resultCode).toBe(25);
  });

  test("ignores a device on another licence", async () => {
    const owner = await createUser(app);
    const [licence, other] = [await createLicence(app, owner), await createLicence(app, owner)];
    await createDevice(app, licence);
    const foreign = await createDevice(app, other);
    expect((await callAddin(app, "activate", licence, { replaceMachineId: foreign.id })).json.data.resultCode).toBe(22);
    expect((await callAddinFrom(app, foreign, "validate", other)).json.data.valid).toBe(true);
  });

  test("keeps the device if a machine replaces its own activation", async () => {
    const licence = await createLicence(app, await createUser(app));
    const device = await createDevice(app, licence);
    const { json } = await callAddin(app, "activate", licence, {
      machine: toMachine(device),
      replaceMachineId: device.id,
    });
    expect(json.data.machine.id).toBe(device.id);
  });
});
