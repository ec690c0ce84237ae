import { describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { UsageEvent } from "#api/licensing/usage/usage-event.entity.ts";
import { callAddin, callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, createLicence, getMachineToken } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { type RestResponse, startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app);

const aLease = "7ae2f0a1-4c1b-4d52-9f3e-1b2c3d4e5f60";
const events = () => [{ id: crypto.randomUUID(), kind: "conversion", atUtc: app.clock.now().toISOString() }];
/** Fields of each call beyond the common body. */
const calls: [string, () => Record<string, unknown>][] = [
  ["activate", () => ({})],
  ["validate", () => ({})],
  ["lease", () => ({ sessionId: "session" })],
  ["heartbeat", () => ({ leaseId: aLease })],
  ["release", () => ({ leaseId: aLease })],
  ["usage", () => ({ events: events() })],
  ["deactivate", () => ({ reason: "Device change" })],
];
const callsWithToken = calls.filter(([call]) => call !== "activate");

/** Sends a request that must be refused without a database statement. */
async function refuse(call: string, licence: Pick<Licence, "licenceCode">, changes: Record<string, unknown>) {
  let answer: RestResponse | undefined;
  const statements = await recordStatements(async () => {
    answer = await callAddin(app, call, licence, { machineToken: "x", ...changes });
  });
  expect(statements).toEqual([]);
  return answer as RestResponse;
}

test.each(calls)("%s rejects a mistyped code and a short fingerprint without a database query", async (call, more) => {
  const licence = await createLicence(app, user);
  const licenceCode = `${licence.licenceCode.startsWith("7") ? "8" : "7"}${licence.licenceCode.slice(1)}`;
  const mistyped = await refuse(call, { licenceCode }, more());
  const message = "This is not a licence code. Please check it for typing mistakes.";
  expect([mistyped.status, mistyped.json]).toEqual([400, { licenceCode: [message] }]);
  const short = await refuse(call, licence, { ...more(), machine: buildMachine({ fingerprint: "short" }) });
  expect([short.status, Object.keys(short.json)]).toEqual([400, ["machine.fingerprint"]]);
});

test("rejects every kind of invalid fingerprint", async () => {
  const licence = await createLicence(app, user);
  for (const [fingerprint, expected] of [
    ["", 400],
    [" ".repeat(8), 400],
    ["x".repeat(201), 400],
    ["nul\0in-between", 400],
    ["half a pair \ud800", 400],
    [{ toString: "x" }, 400],
    [["fingerprint-1"], 400],
    [12_345_678, 400],
    ["x".repeat(150_000), 413],
  ] as const) {
    const { status, json } = await refuse("activate", licence, { machine: buildMachine({ fingerprint }) });
    expect(status, JSON.stringify(fingerprint).slice(0, 20)).toBe(expected);
    if (expected === 400) expect(Object.keys(json)).toEqual(["machine.fingerprint"]);
  }
});

test("says what is wrong with too many or too long components", async () => {
  const licence = await createLicence(app, user);
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`part${index}`, "x"]));
  for (const components of [many, { cpu: "x".repeat(201) }, { ["x".repeat(61)]: "x" }]) {
    const { status, json } = await refuse("activate", licence, { machine: buildMachine({ components }) });
    const message = "May have at most 32 values, of at most 200 characters, with names of at most 60.";
    expect([status, json]).toEqual([400, { "machine.components": [message] }]);
  }
});

describe.each(callsWithToken)("%s with another device's values", (call, more) => {
  const untouched = async (device: Device, licence: Licence) => {
    expect((await em().findOneOrFail(Device, device.id)).freedAt).toBeNull();
    expect(await em().count(Lease, { device: device.id })).toBe(0);
    expect(await em().count(UsageEvent, { licence: licence.id } as never)).toBe(0);
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
  };

  test("code: refuses a device on another licence without revealing anything about the licence", async () => {
    const mine = await createConcurrentLicence(app, user);
    const device = await createDevice(app, mine);
    const foreign = await createConcurrentLicence(app, await createUser(app));
    const { status, json } = await callAddinFrom(app, device, call, foreign, more());
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ valid: false, resultCode: 21 });
    for (const member of ["machine", "machineToken", "lease", "usageRemaining", "deactivationsRemaining"])
      expect(json.data).not.toHaveProperty(member);
    await untouched(device, mine);
  });

  test("token: reports another device's token and leaves the device unchanged", async () => {
    const licence = await createConcurrentLicence(app, user);
    const device = await createDevice(app, licence, { components: { cpu: "a", disk: "b", mac: "c" } });
    const own = await createDevice(app, licence, { components: { cpu: "a", disk: "x", mac: "y" } });
    const { status, json } = await callAddinFrom(app, own, call, licence, {
      ...more(),
      machineToken: getMachineToken(app, device),
    });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ valid: false, resultCode: 23 });
    expect(json.data).not.toHaveProperty("machine");
    await untouched(device, licence);
    await untouched(own, licence);
  });

  test("returns 401 for an unknown token and records nothing", async () => {
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    for (const machineToken of ["x", "A".repeat(43)])
      expect((await callAddinFrom(app, device, call, licence, { ...more(), machineToken })).status).toBe(401);
    expect(await em().count(LicenceEvent, { licenceId: licence.id })).toBe(0);
  });
});

test("colliding fingerprints count as two devices on two licences, with separate tokens", async () => {
  const [one, other] = [await createLicence(app, user), await createLicence(app, await createUser(app))];
  const me = buildMachine();
  const first = (await callAddin(app, "activate", one, { machine: me })).json.data;
  const second = (await callAddin(app, "activate", other, { machine: me })).json.data;
  expect(second.machine.id).not.toBe(first.machine.id);
  expect(second.machineToken).not.toBe(first.machineToken);
  const crossed = await callAddin(app, "validate", other, { machine: me, machineToken: first.machineToken });
  expect(crossed.json.data.resultCode).toBe(21);
});
