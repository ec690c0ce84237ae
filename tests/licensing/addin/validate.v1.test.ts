import { expect, test, afterEach } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom, buildMachine, toMachine, callAddin, buildRequest } from "#tests/factories/addin.ts";
import { createDevice, createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import jwt from "jsonwebtoken";
import { createPublicKey } from "node:crypto";
import { readProof } from "#tests/support/proof.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const user = await createUser(app);
const jwks = (await app.rest("GET", "/v1/licence/signing-keys")).json as Parameters<typeof readProof>[1];

async function deviceOn(licence: Licence, changes: Partial<Device> = {}) {
  return { licence, device: await createDevice(app, licence, changes) };
}

const newest = (licence: { id: string }) =>
  em().findOne(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "desc" } });

test("a validation needs one database statement for an answer to a known device, also for a refusal", async () => {
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

test("a validation records the time, the device's description and the request", async () => {
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

test("a validation uses the application's clock to decide whether the licence has expired", async () => {
  const { licence, device } = await deviceOn(
    await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), DAY) }),
  );
  app.clock.setOffset(DAY - MINUTE);
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(1);
  app.clock.setOffset(DAY + MINUTE);
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(14);
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

test("recognises devices of one licence by their components when all report the same blank fingerprint", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 2 });
  for (const board of ["PF1A2B3C", "PF4D5E6F"]) {
    const device = await createDevice(app, licence, { components: { board, disk: board } });
    const machine = toMachine(device, { fingerprint: "Default string", components: { board, disk: board } });
    const same = { valid: true, machine: { id: device.id } };
    expect((await callAddinFrom(app, device, "validate", licence, { machine })).json.data).toMatchObject(same);
    expect((await callAddin(app, "activate", licence, { machine })).json.data).toMatchObject(same);
    expect((await em().findOneOrFail(Device, device.id)).fingerprint).toBe(device.fingerprint);
  }
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
  const other = await createDevice(app, licence, { fingerprint: "ab12".repeat(8) });
  for (const fingerprint of [other.fingerprint, other.fingerprint.toUpperCase()]) {
    const machine = toMachine(other, { fingerprint, components: parts });
    const { json } = await callAddinFrom(app, device, "validate", licence, { machine });
    expect(json.data.resultCode, fingerprint).toBe(23);
  }
});

test("returns 400 for an unknown feature", async () => {
  const { licence, device } = await deviceOn(await createLicence(app, user));
  const answer = await callAddinFrom(app, device, "validate", licence, { features: ["teleport"] });
  expect([answer.status, answer.json]).toEqual([400, { "features[0]": ["Unknown feature."] }]);
});

test("signs the data, the request's nonce and the device, and is valid for as long as the device may run", async () => {
  const licence = await createLicence(app, user);
  const body = buildRequest(app, licence.licenceCode, { nonce: " as it\u00a0was sent " });
  const { json } = await app.rest("POST", "/v1/licence/activate", { body });
  const { header, payload } = readProof(json.proof, jwks) ?? {};
  expect(header).toEqual({ alg: "ES256", typ: "licence-proof", kid: jwks.keys[0]?.kid });
  expect(Object.keys(payload ?? {})).toEqual(["data", "nonce", "fingerprint", "iat", "exp"]);
  expect(payload).toMatchObject({ data: json.data, nonce: body.nonce, fingerprint: body.machine.fingerprint });
  expect(payload?.iat).toBe(Math.floor(Date.parse(json.data.serverTimeUtc) / 1000));
  expect(payload?.exp).toBe(Math.floor(Date.parse(json.data.graceUntilUtc) / 1000));
});

test("signs a refusal that is valid for five minutes", async () => {
  const licence = await createExpiredLicence(app, user);
  const { json } = await callAddinFrom(app, await createDevice(app, licence), "validate", licence);
  const { payload } = readProof(json.proof, jwks) ?? {};
  expect(payload?.data).toEqual(json.data);
  expect((payload?.exp as number) - (payload?.iat as number)).toBe(300);
});

test("a proof is a JWS that a standard library can verify with the published key", async () => {
  const { json } = await callAddin(app, "activate", await createLicence(app, user));
  const key = createPublicKey({ key: jwks.keys[0] as never, format: "jwk" });
  expect(jwt.verify(json.proof, key, { algorithms: ["ES256"] })).toMatchObject({ data: json.data });
});

test("a proof is not accepted as an access token, nor an access token as a proof", async () => {
  const { json } = await callAddin(app, "activate", await createLicence(app, user));
  expect((await app.rest("GET", `/v1/licence/${user.id}`, { token: json.proof })).status).toBe(401);
  const { header } = readProof(await signInAs(app, user), jwks) ?? {};
  expect(header?.typ).not.toBe("licence-proof");
});
