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
/** Sends every call from every version and returns the warnings by call and version, or the result code. */
async function answerAll(versions: readonly string[]): Promise<Set<string>> {
  const answers = new Set<string>();
  for (const version of versions)
    for (const [call, send] of Object.entries((await createCalls()).calls)) {
      const { data } = (await send(version)).json;
      answers.add(data.resultCode === 1 ? data.warnings.join() : `${call} from ${version}: ${data.resultCode}`);
    }
  return answers;
}

test("warns older versions of a newer one", async () => {
  expect(await answerAll(["7.2.0", "7.2.65535", "1", "7.2.9-beta.1"])).toEqual(new Set(["UPDATE_AVAILABLE"]));
  expect(await answerAll(["7.3.0", "7.3", "7.3.0.1", "8", "beta", "99999"])).toEqual(new Set([""]));
});

describe("with 7.2 as the minimum version", () => {
  beforeAll(async () => {
    await setMinimumVersion(app.context(), 4, "7.2");
    return () => setMinimumVersion(app.context(), 4, null);
  });

  test("refuses older versions without changing anything", async () => {
    for (const call of ["activate", "validate", "lease", "heartbeat"] as const)
      for (const version of ["7.1.65535", "0", "beta", "v7.3.0", "99999"]) {
        const { licence, device, seat, calls } = await createCalls();
        const { data } = (await calls[call](version)).json;
        const refusal = { valid: false, resultCode: 51, code: "VERSION_NOT_SUPPORTED", warnings: [] };
        expect(data, `${call} from ${version}`).toMatchObject(refusal);
        for (const member of ["machineToken", "lease", "graceUntilUtc", "validateAfterUtc"])
          expect(data).not.toHaveProperty(member);
        expect(await em().find(Device, { licence: licence.id })).toMatchObject([{ id: device.id, freedAt: null }]);
        const { id, expiresAt } = seat;
        expect(await em().find(Lease, { licence: licence.id })).toMatchObject([{ id, expiresAt }]);
        const events = await em().find(LicenceEvent, { licenceId: licence.id });
        expect(events).toMatchObject([{ kind: call, resultCode: 51, addInVersion: version }]);
      }
  });

  test("permits others, and warns those with a newer version", async () => {
    expect(await answerAll(["7.2", "7.2.0.0", "7.2.5-rc.1"])).toEqual(new Set(["UPDATE_AVAILABLE"]));
    expect(await answerAll(["7.3", "7.4"])).toEqual(new Set([""]));
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
    expect([await code({ features: ["costs"] }), await code({ features: ["schedule"] })]).toEqual([50, 51]);
  });
});

test("ignores versions published in other stages", async () => {
  await publishTestBuild(app, "9.0", { stage: 3 });
  expect((await (await createCalls()).calls.validate("7.3")).json.data).toMatchObject({ resultCode: 1, warnings: [] });
});
