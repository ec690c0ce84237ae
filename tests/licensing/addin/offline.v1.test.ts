import { expect, test, afterEach } from "vitest";
import { messageOfResultCode } from "#schema/result-code.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { callAddin, callAddinFrom, buildMachine, toMachine, buildRequest } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { extractJws, readProof } from "#tests/support/proof.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const { user: owner, token } = await createSignedIn(app);

const buildRequestFile = (licence: Pick<Licence, "licenceCode">, changes: Record<string, unknown> = {}) =>
  buildRequest(app, licence.licenceCode, changes);
const send = (requestFile: unknown, as = token) =>
  app.rest("POST", "/v1/licence/offline", { body: { requestFile }, token: as });
const activate = (licence: Pick<Licence, "licenceCode">, changes: Record<string, unknown> = {}, as = token) =>
  send(JSON.stringify(buildRequestFile(licence, changes)), as);
const activeDevices = (licence: Licence) => em().find(Device, { licence: licence.id, freedAt: null });
const days = (count: number) => count * DAY;

/**
 * Reads the licence file as the add-in does: joins the lines between the markers and verifies the signature with the
 * published keys.
 */
async function fileIn(text: string) {
  const { json: jwks } = await app.rest("GET", "/v1/licence/signing-keys");
  const read = readProof(extractJws(text), jwks);
  if (!read) throw new Error("The file's signature is not right.");
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into payloads of every shape
  return read as { header: Record<string, unknown>; payload: any };
}

test("returns a licence file with the signed answer for this request from this device", async () => {
  const licence = await createLicence(app, owner);
  const requestFile = buildRequestFile(licence);
  const { status, json } = await send(JSON.stringify(requestFile));
  expect(status).toBe(200);
  expect(json).toMatch(/^-----BEGIN LICENCE FILE-----\n[\w.-]+\n-----END LICENCE FILE-----\n$/);
  const { header, payload } = await fileIn(json);
  expect(header).toEqual({ alg: "ES256", typ: "licence-file", kid: app.services.keys.current.kid });
  expect(Object.keys(payload).toSorted()).toEqual(["data", "exp", "fingerprint", "iat", "nonce"]);
  expect(payload).toMatchObject({ nonce: requestFile.nonce, fingerprint: requestFile.machine.fingerprint });
  const [device] = await activeDevices(licence);
  expect(payload.data).toMatchObject({
    valid: true,
    resultCode: 1,
    code: "VALID",
    warnings: [],
    licence: { id: licence.id, features: ["schedule", "health-checks", "costs", "resources"] },
    machine: { id: device?.id },
  });
  expect(payload.data).not.toHaveProperty("machineToken");
  expect(payload.exp).toBe(Math.floor(Date.parse(payload.data.graceUntilUtc) / 1000));
});

test("accepts JSON with a byte order mark and line breaks, and base64, wrapped or URL-safe", async () => {
  const licence = await createLicence(app, owner, { numberOfMachines: 1 });
  const request = { ...buildRequestFile(licence), machine: buildMachine({ machineName: "BÜRO-07" }) };
  const json = JSON.stringify(request, null, 2);
  const base64 = Buffer.from(`\ufeff${json}`).toString("base64");
  const utf16 = Buffer.from(`\ufeff${json}`, "utf16le").toString("base64");
  for (const file of [
    json,
    `\ufeff\r\n${json.replaceAll("\n", "\r\n")}\r\n`,
    base64,
    `\n${base64.replace(/(.{64})/g, "$1\r\n")}\n`,
    Buffer.from(json).toString("base64url"),
    utf16,
  ])
    expect((await send(file)).status, file.slice(0, 40)).toBe(200);
  expect((await activeDevices(licence)).map((device) => device.machineName)).toEqual(["BÜRO-07"]);
});

test("repeats the nonce exactly as it was sent, also one that text rules would clean", async () => {
  const nonce = "cafe\u0301-\u200b\uff11-nonce";
  expect((await fileIn((await activate(await createLicence(app, owner), { nonce })).json)).payload.nonce).toBe(nonce);
});

test("locks the device until the file expires: the portal and add-in get code 25, but an admin can still deactivate it", async () => {
  const licence = await createLicence(app, owner);
  const me = buildMachine();
  const { payload } = await fileIn((await activate(licence, { machine: me })).json);
  const [device] = await activeDevices(licence);
  expect(Math.floor((device?.offlineUntil?.getTime() ?? 0) / 1000)).toBe(payload.exp);
  const free = (as: string) =>
    app.rest("PUT", `/v1/licence/machine/${device?.id}/deactivate`, { body: { reason: "Device change" }, token: as });
  expect((await free(token)).json).toBe(25);
  const { machineToken } = (await callAddin(app, "activate", licence, { machine: me })).json.data;
  const deactivation = await callAddin(app, "deactivate", licence, {
    machine: me,
    machineToken,
    reason: "Device change",
  });
  expect(deactivation.json.data.resultCode).toBe(25);
  expect((await callAddin(app, "activate", licence, { replaceMachineId: device?.id })).json.data.resultCode).toBe(25);
  expect((await free(await signInAs(app, await createAdmin(app)))).json).toBe(1);
  await em().nativeUpdate(Device, { id: device?.id ?? "" }, { freedAt: null });
  app.clock.setOffset(days(14) + HOUR);
  expect((await free(await signInAs(app, owner))).json).toBe(1);
});

test("binds the file to one machine: another with the same components gets neither a file nor the activation", async () => {
  const licence = await createLicence(app, owner);
  const parts = { board: "b", disk: "d", cpu: "c" };
  const first = buildMachine({ components: parts });
  expect((await activate(licence, { machine: first })).status).toBe(200);
  const other = buildMachine({ components: parts });
  const { status, json } = await activate(licence, { machine: other });
  expect(status).toBe(409);
  expect(json.Message).toBe(messageOfResultCode.MACHINE_OFFLINE_LOCKED);
  expect((await callAddin(app, "activate", licence, { machine: other })).json.data.resultCode).toBe(25);
  const { machineToken } = (await callAddin(app, "activate", licence, { machine: first })).json.data;
  expect((await callAddin(app, "validate", licence, { machine: other, machineToken })).json.data.resultCode).toBe(23);
  expect(await activeDevices(licence)).toMatchObject([{ fingerprint: first.fingerprint }]);
});

test("renews the file when the request is repeated, but keeps the lock of an earlier file that lasts longer", async () => {
  const licence = await createLicence(app, owner);
  const file = JSON.stringify(buildRequestFile(licence));
  const first = await fileIn((await send(file)).json);
  app.clock.setOffset(5 * 60_000);
  const second = await fileIn((await send(file)).json);
  expect(second.payload.data.machine.id).toBe(first.payload.data.machine.id);
  expect(second.payload.exp).toBeGreaterThan(first.payload.exp);
  await em().nativeUpdate(Licence, { id: licence.id }, { expiresAt: addMilliseconds(app.clock.now(), HOUR) });
  expect((await fileIn((await send(file)).json)).payload.exp).toBeLessThan(second.payload.exp);
  const [device, ...others] = await activeDevices(licence);
  expect(others).toEqual([]);
  expect(Math.floor((device?.offlineUntil?.getTime() ?? 0) / 1000)).toBe(second.payload.exp);
});

test("an offline activation keeps the token of an activated device, and gives an offline device one once it is online", async () => {
  const licence = await createLicence(app, owner, { numberOfMachines: 2 });
  const device = await createDevice(app, licence);
  const known = await fileIn((await activate(licence, { machine: toMachine(device) })).json);
  expect(known.payload.data.machine.id).toBe(device.id);
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
  const me = buildMachine();
  const { payload } = await fileIn((await activate(licence, { machine: me })).json);
  const { json } = await callAddin(app, "activate", licence, { machine: me });
  expect(json.data.machine.id).toBe(payload.data.machine.id);
  const validated = await callAddin(app, "validate", licence, { machine: me, machineToken: json.data.machineToken });
  expect(validated.json.data.valid).toBe(true);
});

test("gives corporate customers a file for a request that is days old, without a clock warning", async () => {
  const corporate = await createCorporateUser(app);
  const clientTimeUtc = addMilliseconds(app.clock.now(), -days(3)).toISOString();
  const licence = await createLicence(app, corporate);
  const { payload } = await fileIn((await activate(licence, { clientTimeUtc }, await signInAs(app, corporate))).json);
  expect(payload.data.warnings).toEqual([]);
});

test("records offline activations and refusals in the licence's history", async () => {
  const licence = await createLicence(app, owner);
  await activate(licence);
  await activate(licence);
  const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
  expect(events.map(({ kind, resultCode }) => [kind, resultCode])).toEqual([
    ["offline", 1],
    ["offline", 22],
  ]);
  expect(events[0]).toMatchObject({ addInVersion: "7.2.0", osUser: "PLANNING\\ada" });
});

test("refuses a concurrent licence without activating the device, and suggests borrowing a seat if that is allowed", async () => {
  for (const [limitFloatingLeasePeriodToHours, suggestion] of [
    [8, "Please borrow a seat in the add-in instead"],
    [0, "Its seats can't be borrowed either. Please contact us"],
  ] as const) {
    const licence = await createConcurrentLicence(app, owner, { limitFloatingLeasePeriodToHours });
    const { status, json } = await activate(licence);
    expect(status).toBe(409);
    expect(json.Message).toContain(suggestion);
    expect(await activeDevices(licence)).toEqual([]);
  }
});

test("returns the same 404 for another customer's code and an unknown code, and changes nothing", async () => {
  const foreign = await createLicence(app, await createUser(app));
  const answers = [await activate(foreign), await activate({ licenceCode: generateLicenceCode() })];
  expect(answers.map(({ status, json }) => [status, json])).toEqual([
    [404, "Sorry, we could not find what you asked for."],
    [404, "Sorry, we could not find what you asked for."],
  ]);
  expect([await activeDevices(foreign), await em().count(LicenceEvent, { licenceId: foreign.id })]).toEqual([[], 0]);
});

const damaged = "This is not a request file, or it is damaged. Please save it again in the add-in.";
const missing = "Please choose or paste the request file.";
const tooLarge = "The request file is larger than 50 kB. Please choose the file that the add-in saved.";
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

test("rejects other files with specific messages", async () => {
  for (const [name, requestFile, message] of [
    ["a missing file", undefined, missing],
    ["a blank file", " \r\n ", missing],
    ["an object", {}, "Must be text."],
    ["invalid JSON", "{licenceCode: 1}", damaged],
    ["a truncated file", '{"licenceCode": "AB', damaged],
    ["a list", base64([]), damaged],
    ["a number", "17", damaged],
    ["binary data", Buffer.from([1, 2, 0xff, 0xc0]).toString("base64"), damaged],
    ["deeply nested JSON", "[".repeat(49_000), damaged],
    ["too many characters", "A".repeat(50_001), tooLarge],
    ["too many bytes", "ü".repeat(25_001), tooLarge],
    [
      "a licence file",
      "-----BEGIN LICENCE FILE-----\nx\n-----END LICENCE FILE-----",
      "This is a licence file. Please choose the request file that the add-in saved.",
    ],
  ] as const) {
    const { status, json } = await send(requestFile);
    expect([status, json], name).toEqual([400, { requestFile: [message] }]);
  }
});

test("names each missing or invalid field", async () => {
  const licence = await createLicence(app, owner);
  const { nonce: _, ...fields } = buildRequestFile(licence, {
    clientTimeUtc: "yesterday",
    machine: { ...buildMachine(), fingerprint: "short", isVm: "no", components: { cpu: 1 } },
  });
  const { status, json } = await send(base64(fields));
  expect(status).toBe(400);
  expect(json.requestFile.toSorted()).toEqual([
    "In the request file, clientTimeUtc: Must be a date.",
    "In the request file, machine.components: Must be an object of text values.",
    "In the request file, machine.fingerprint: Fingerprint is too short.",
    "In the request file, machine.isVm: Must be true or false.",
    "In the request file, nonce: Nonce is required.",
  ]);
});

test("rejects a fingerprint that identifies nothing, also of an activated device", async () => {
  const licence = await createLicence(app, owner);
  const components = { cpu: "a", disk: "b", mac: "c" };
  await createDevice(app, licence, { components });
  const machine = { ...buildMachine(), fingerprint: "0000-0000", components };
  const { status, json } = await activate(licence, { machine });
  const message = expect.stringMatching(/^In the request file, machine.fingerprint: .* same on many machines/);
  expect([status, json]).toEqual([400, { requestFile: [message] }]);
});

test("reports a mistyped licence code", async () => {
  const { licenceCode } = await createLicence(app, owner);
  const mistyped = licenceCode.slice(0, -1) + (licenceCode.endsWith("7") ? "8" : "7");
  const { json } = await send(JSON.stringify(buildRequestFile({ licenceCode: mistyped })));
  const message = "In the request file, licenceCode: This is not a licence code. Please check it for typing mistakes.";
  expect(json).toEqual({ requestFile: [message] });
});
