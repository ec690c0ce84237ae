import { describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom, buildMachine, toMachine } from "#tests/factories/addin.ts";
import {
  createConcurrentLicence,
  createDevice,
  createExpiredLicence,
  createLicence,
  createSubscription,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app);

async function deviceOn(licence: Licence, changes: Partial<Device> = {}) {
  return { licence, device: await createDevice(app, licence, changes) };
}

const newest = (licence: { id: string }) =>
  em().findOne(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "desc" } });

describe("validate", () => {
  test("needs one database statement for an answer to a known device, also for a refusal", async () => {
    for (const [licence, resultCode] of [
      [await createLicence(app, user), 1],
      [await createExpiredLicence(app, user), 14],
    ] as const) {
      const device = await createDevice(app, licence);
      const validated = () => callAddinFrom(app, device, "validate", licence, { features: ["costs"] });
      await validated();
      const statements = await recordStatements(async () => {
        expect((await validated()).json.data.resultCode).toBe(resultCode);
      });
      expect(statements).toHaveLength(1);
    }
  });

  test("records the time, the device's description and the request", async () => {
    const { licence, device } = await deviceOn(await createLicence(app, user), {
      lastSeenAt: new Date("2024-01-01T00:00:00Z"),
    });
    await callAddinFrom(app, device, "validate", licence, {
      machine: toMachine(device, {
        machineName: "RENAMED|site",
        osUser: "SITE\\bob",
        components: { cpu: "c", disk: "d" },
      }),
    });
    const stored = await em().findOneOrFail(Device, device.id);
    expect(stored).toMatchObject({
      machineName: "RENAMED|site",
      osUser: "SITE\\bob",
      components: { cpu: "c", disk: "d" },
    });
    expect(Math.abs(stored.lastSeenAt.getTime() - app.clock.now().getTime())).toBeLessThan(MINUTE);
    expect(await newest(licence)).toMatchObject({
      kind: "validate",
      resultCode: 1,
      deviceId: device.id,
      machineName: "RENAMED|site",
      osUser: "SITE\\bob",
      addInVersion: "7.2.0",
      hostVersion: "16.0.17328",
      ip: "127.0.0.1",
    });
  });

  test("uses the application's clock to decide whether the licence has expired", async () => {
    const { licence, device } = await deviceOn(
      await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), DAY) }),
    );
    try {
      app.clock.setOffset(DAY - MINUTE);
      expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(1);
      app.clock.setOffset(DAY + MINUTE);
      expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(14);
    } finally {
      app.clock.setOffset(0);
    }
  });
});

describe("refused validation", () => {
  test("returns 401 for an unknown token and records nothing", async () => {
    const { licence, device } = await deviceOn(await createLicence(app, user));
    for (const machineToken of ["x", "A".repeat(43)]) {
      const { status, json } = await callAddinFrom(app, device, "validate", licence, { machineToken });
      expect(status).toBe(401);
      expect(json).toEqual({
        Message: "This machine token is not known. Please activate the device again.",
        requestId: expect.any(String),
      });
    }
    expect(await newest(licence)).toBeNull();
  });

  test("returns 23 for another machine with the token, and leaves the device unchanged", async () => {
    const { licence, device } = await deviceOn(await createLicence(app, user), {
      components: { cpu: "a", disk: "b", mac: "c" },
    });
    const thief = buildMachine({ components: { cpu: "a", disk: "x", mac: "y" } });
    const { json } = await callAddinFrom(app, device, "validate", licence, { machine: thief });
    expect(json.data).toMatchObject({ valid: false, resultCode: 23, code: "FINGERPRINT_MISMATCH" });
    expect(json.data).not.toHaveProperty("machine");
    expect(await em().findOneOrFail(Device, device.id)).toMatchObject({
      fingerprint: device.fingerprint,
      machineName: device.machineName,
    });
    expect(await newest(licence)).toMatchObject({ resultCode: 23, deviceId: null, machineName: thief.machineName });
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
  });

  test("accepts a drifted fingerprint, stores it and adds one event", async () => {
    const { licence, device } = await deviceOn(await createLicence(app, user), {
      components: { cpu: "a", disk: "b", mac: "c" },
    });
    const drifted = toMachine(device, { fingerprint: "drifted-print", components: { cpu: "a", disk: "b", mac: "z" } });
    const { json } = await callAddinFrom(app, device, "validate", licence, { machine: drifted });
    expect(json.data).toMatchObject({ valid: true, machine: { id: device.id } });
    expect(await em().findOneOrFail(Device, device.id)).toMatchObject({
      fingerprint: "drifted-print",
      components: { cpu: "a", disk: "b", mac: "z" },
    });
    expect(await em().count(LicenceEvent, { licenceId: licence.id })).toBe(1);
    const statements = await recordStatements(() =>
      callAddinFrom(app, device, "validate", licence, { machine: drifted }),
    );
    expect(statements).toHaveLength(1);
  });

  test("returns 23 when a device drifts to another device's fingerprint on the same licence", async () => {
    const licence = await createLicence(app, user, { numberOfMachines: 2 });
    const parts = { cpu: "a", disk: "b" };
    const device = await createDevice(app, licence, { components: parts });
    const other = await createDevice(app, licence);
    const { json } = await callAddinFrom(app, device, "validate", licence, {
      machine: toMachine(other, { components: parts }),
    });
    expect(json.data.resultCode).toBe(23);
  });

  test("returns 21 for a deactivated device and for a device on another licence", async () => {
    const { licence, device } = await deviceOn(await createLicence(app, user), { freedAt: app.clock.now() });
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(21);
    const elsewhere = await deviceOn(await createLicence(app, user));
    const { json } = await callAddinFrom(app, elsewhere.device, "validate", licence);
    expect(json.data.resultCode).toBe(21);
    expect(json.data).not.toHaveProperty("machine");
  });

  test("returns 50 for a feature outside the product level and 400 for an unknown one", async () => {
    const { licence, device } = await deviceOn(await createLicence(app, user, { productLevel: 1 }));
    const code = async (features: string[]) =>
      (await callAddinFrom(app, device, "validate", licence, { features })).json.data.resultCode;
    expect(await code(["schedule", "health-checks"])).toBe(1);
    expect(await code(["schedule", "costs"])).toBe(50);
    expect(await code([])).toBe(1);
    const none = await deviceOn(await createLicence(app, user, { productLevel: 19 }));
    const { json } = await callAddinFrom(app, none.device, "validate", none.licence);
    expect(json.data.licence.features).toEqual([]);
    const answer = await callAddinFrom(app, device, "validate", licence, { features: ["teleport"] });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ "features[0]": ["Unknown feature."] });
  });
});

describe("validity period of an answer", () => {
  const times = async (licence: Licence) => {
    const device = await createDevice(app, licence);
    const { data } = (await callAddinFrom(app, device, "validate", licence)).json;
    const since = (text: string) => Date.parse(text) - Date.parse(data.serverTimeUtc);
    return {
      ask: since(data.validateAfterUtc),
      grace: since(data.graceUntilUtc),
      end: since(data.licence.expiryDateUtc),
    };
  };

  test("is 14 days on a paid licence, one day on a trial, and two heartbeat intervals on a concurrent licence", async () => {
    expect(await times(await createLicence(app, user))).toMatchObject({ ask: DAY, grace: 14 * DAY });
    expect(await times(await createTrialLicence(app, user))).toMatchObject({ ask: DAY, grace: DAY });
    const licence = await createConcurrentLicence(app, user, { floatingHeartBeatIntervalMinutes: 20 });
    expect(await times(licence)).toMatchObject({ ask: 40 * MINUTE, grace: 40 * MINUTE });
  });

  test("never exceeds the licence's expiry", async () => {
    const soon = await times(await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), 3 * HOUR) }));
    expect(soon.grace).toBe(soon.end);
    expect(soon.ask).toBe(soon.end);
  });
});

describe("warnings", () => {
  const warnings = async (licence: Licence, changes: Record<string, unknown> = {}) => {
    const device = await createDevice(app, licence);
    return (await callAddinFrom(app, device, "validate", licence, changes)).json.data.warnings;
  };

  test("include a licence that expires within 7 days, and a failed payment", async () => {
    const ending = (ms: number) => createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), ms) });
    expect(await warnings(await ending(7 * DAY))).toEqual(["EXPIRING_SOON"]);
    const licence = await ending(7 * DAY + HOUR);
    expect(await warnings(licence)).toEqual([]);
    await createSubscription(app, licence, { status: "past_due" });
    expect(await warnings(licence)).toEqual(["PAYMENT_OVERDUE"]);
  });

  test("include a clock that is off by more than 5 minutes, even in a refusal", async () => {
    const clientTime = (ms: number) => ({ clientTimeUtc: addMilliseconds(app.clock.now(), ms).toISOString() });
    for (const [minutes, expected] of [
      [-6, ["CLOCK_SKEW"]],
      [6, ["CLOCK_SKEW"]],
      [4, []],
    ] as const)
      expect(await warnings(await createLicence(app, user), clientTime(minutes * MINUTE))).toEqual(expected);
    expect(await warnings(await createExpiredLicence(app, user), clientTime(-HOUR))).toEqual(["CLOCK_SKEW"]);
  });
});
