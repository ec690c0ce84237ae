import { beforeAll, describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { callAddin, callAddinFrom } from "#tests/factories/addin.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app);
await publishTestBuild(app, "7.3.0");

/** Sends each call from a given version, on a concurrent licence with one device and one seat. */
async function createCalls() {
  const licence = await createConcurrentLicence(app, user);
  const device = await createDevice(app, licence);
  const seat = await createLease(app, device);
  const calls = {
    activate: (addInVersion: string) => callAddin(app, "activate", licence, { addInVersion }),
    validate: (addInVersion: string) => callAddinFrom(app, device, "validate", licence, { addInVersion }),
    lease: (addInVersion: string) => buildLease(app, licence, device, { addInVersion }),
    heartbeat: (addInVersion: string) =>
      callAddinFrom(app, device, "heartbeat", licence, { leaseId: seat.id, addInVersion }),
  };
  return { licence, device, seat, calls };
}
const calls = ["activate", "validate", "lease", "heartbeat"] as const;

describe.each(calls)("%s without a minimum version", (call) => {
  test.each(["7.2.0", "7.2.65535", "1", "7.2.9-beta.1"])("warns version %s of a newer one", async (version) => {
    const { json } = await (await createCalls()).calls[call](version);
    expect(json.data).toMatchObject({ resultCode: 1, warnings: ["UPDATE_AVAILABLE"] });
  });

  test.each(["7.3.0", "7.3", "7.3.0.1", "8", "beta", "99999"])("gives version %s no warning", async (version) => {
    const { json } = await (await createCalls()).calls[call](version);
    expect(json.data).toMatchObject({ resultCode: 1, warnings: [] });
  });
});

describe.each(calls)("%s with 7.2 as the minimum version", (call) => {
  beforeAll(async () => {
    await setMinimumVersion(app.context(), 4, "7.2");
    return () => setMinimumVersion(app.context(), 4, null);
  });

  test.each(["7.1.65535", "0", "beta", "v7.3.0", "99999"])(
    "refuses version %s without changing anything",
    async (version) => {
      const { licence, device, seat, calls: ways } = await createCalls();
      const { status, json } = await ways[call](version);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ valid: false, resultCode: 51, code: "VERSION_NOT_SUPPORTED", warnings: [] });
      for (const member of ["machineToken", "lease", "graceUntilUtc", "validateAfterUtc"])
        expect(json.data).not.toHaveProperty(member);
      const kept = { id: device.id, freedAt: null };
      expect(await em().find(Device, { licence: licence.id })).toMatchObject([kept]);
      const leases = await em().find(Lease, { licence: licence.id });
      expect(leases.map(({ id, expiresAt }) => ({ id, expiresAt }))).toEqual([
        { id: seat.id, expiresAt: seat.expiresAt },
      ]);
      const events = await em().find(LicenceEvent, { licenceId: licence.id });
      expect(events).toMatchObject([{ kind: call, resultCode: 51, addInVersion: version }]);
    },
  );

  test.each(["7.2", "7.2.0.0", "7.2.5-rc.1"])("permits version %s with a warning", async (version) => {
    const { json } = await (await createCalls()).calls[call](version);
    expect(json.data).toMatchObject({ resultCode: 1, warnings: ["UPDATE_AVAILABLE"] });
  });

  test.each(["7.3", "7.4"])("gives version %s no warning", async (version) => {
    const { json } = await (await createCalls()).calls[call](version);
    expect(json.data).toMatchObject({ resultCode: 1, warnings: [] });
  });
});

describe("with 7.3 as the minimum version", () => {
  beforeAll(async () => {
    await setMinimumVersion(app.context(), 4, "7.3");
    return () => setMinimumVersion(app.context(), 4, null);
  });

  test("lets an old add-in release its seat, report usage and deactivate", async () => {
    const { licence, device, seat } = await createCalls();
    const old = { addInVersion: "6.0" };
    const events = [{ id: "c-1", kind: "conversion", atUtc: app.clock.now().toISOString() }];
    for (const [call, more] of [
      ["usage", { events }],
      ["release", { leaseId: seat.id }],
      ["deactivate", { reason: "Device change" }],
    ] as const)
      expect((await callAddinFrom(app, device, call, licence, { ...old, ...more })).json.data.resultCode, call).toBe(1);
  });

  test("checks every other refusal first, including features", async () => {
    const licence = await createConcurrentLicence(app, user, { productLevel: 0 });
    const device = await createDevice(app, licence);
    const code = async (more: object) =>
      (await callAddinFrom(app, device, "validate", licence, { addInVersion: "6.0", ...more })).json.data.resultCode;
    expect(await code({ features: ["costs"] })).toBe(50);
    expect(await code({ features: ["schedule"] })).toBe(51);
  });
});

test("ignores versions published in other stages", async () => {
  await publishTestBuild(app, "9.0", { stage: 3 });
  const { json } = await (await createCalls()).calls.validate("7.3");
  expect(json.data).toMatchObject({ resultCode: 1, warnings: [] });
});
