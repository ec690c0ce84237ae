import { expect, test } from "vitest";
import { getHelpPath } from "#schema/help-articles.ts";
import { ResultCode } from "#schema/result-code.ts";
import { type SandboxCode, sandboxCodes } from "#schema/sandbox-codes.ts";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { callAddin, buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { createGoldenComparison } from "#tests/support/golden.ts";
import { extractJws, readProof } from "#tests/support/proof.ts";
import { type RestResponse, startTestApp } from "#tests/support/test-app.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { createApp } from "#api/app.ts";
import { pollAuthorization } from "#tests/factories/device-authorization.ts";

const app = await startTestApp();
const sameAs = createGoldenComparison(app, "/v1/licence/sandbox/signing-keys");
const customer = await signInAs(app, await createUser(app));
const sandboxKeys = (await app.rest("GET", "/v1/licence/sandbox/signing-keys")).json;
const trustedKeys = (await app.rest("GET", "/v1/licence/signing-keys")).json;

const codes = (result: string) => sandboxCodes.filter((code) => code.result === result && !code.status);
const findCode = (result: string, more: Partial<SandboxCode> = {}) => {
  const wanted = Object.entries({ afterActivation: false, ...more });
  return codes(result).find((code) =>
    wanted.every(([name, value]) => Reflect.get(code, name) === value),
  ) as SandboxCode;
};

/** Activates with a sandbox code. Uses an arbitrary text as the token if the activation is refused. */
async function installed(code: SandboxCode) {
  const me = buildMachine();
  const activation = await callAddin(app, "activate", code, { machine: me });
  const isFull = activation.json.data.code === "MACHINE_LIMIT_EXCEEDED";
  const swap = { machine: me, replaceMachineId: crypto.randomUUID() };
  const place = isFull ? await callAddin(app, "activate", code, swap) : activation;
  const machineToken: string = place.json.data.machineToken ?? "none was given";
  const leased = () => callSandbox("lease", { sessionId: "one" });
  const callSandbox = (call: string, changes: object = {}) =>
    callAddin(app, call, code, { machine: me, machineToken, ...changes });
  return { me, activation, machineToken, callSandbox, leased };
}

const events = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `c-${n}`, kind: "conversion", atUtc: app.clock.now().toISOString() }));
const callFields: Record<string, object> = {
  validate: {},
  lease: { sessionId: "one" },
  heartbeat: { leaseId: crypto.randomUUID() },
  release: { leaseId: crypto.randomUUID() },
  usage: { events: events(1) },
  deactivate: { reason: "Device change" },
  "move/code": {},
  "move/devices": { emailCode: "000000" },
};

/** Returns every answer for a code: to each call after an activation, and to seat calls for the lease received. */
async function everyAnswer(code: SandboxCode): Promise<RestResponse[]> {
  const { activation, callSandbox, leased } = await installed(code);
  const answers = [activation];
  const { data } = (await leased()).json;
  const seat = data.lease ? { leaseId: data.lease.id } : {};
  for (const [call, more] of Object.entries(callFields)) {
    const isSeat = call === "heartbeat" || call === "release";
    answers.push(await callSandbox(call, isSeat ? { ...more, ...seat } : more));
  }
  answers.push(await callSandbox("validate", { features: ["costs"] }));
  return answers;
}

const withAnswers = sandboxCodes.filter(({ status }) => !status);

test.each(withAnswers.map((code) => [code.licenceCode, code.result, code] as const))(
  "%s answers %s without a database query, with a proof by sandbox keys and a link to the article about it",
  async (_, result, code) => {
    let answers: RestResponse[] = [];
    const statements = await recordStatements(async () => {
      answers = await everyAnswer(code);
    });
    expect(statements).toEqual([]);
    expect(new Set(answers.map(({ json }) => json.data.code))).toContain(result);
    for (const { status, json, headers } of answers) {
      expect([status, json.data.sandbox]).toEqual([200, true]);
      expect(json.data.resultCode).toBe(ResultCode[json.data.code as keyof typeof ResultCode]);
      expect(readProof(json.proof, sandboxKeys)?.payload.data).toEqual(json.data);
      expect(readProof(json.proof, trustedKeys)).toBeNull();
      const about = json.data.code === "VALID" ? json.data.warnings[0] : json.data.code;
      expect(headers.get("link")).toBe(about ? `<http://portal.test${getHelpPath(about)}>; rel="help"` : null);
    }
  },
);

test("has a sandbox code for every result code and every warning", () => {
  expect(new Set(withAnswers.map(({ result }) => result))).toEqual(new Set(Object.keys(ResultCode)));
});

test("a device with a sandbox code needs its own token: any other text returns 401, another code's token 21, and another device's token 23", async () => {
  const { machineToken, callSandbox } = await installed(findCode("VALID", { licence: "paid" }));
  expect((await callSandbox("validate")).json.data.valid).toBe(true);
  expect((await callSandbox("validate", { machineToken: "A".repeat(43) })).status).toBe(401);
  expect((await callSandbox("validate", { machine: buildMachine() })).json.data.resultCode).toBe(23);
  const other = await installed(findCode("VALID", { licence: "trial" }));
  expect((await other.callSandbox("validate", { machineToken })).json.data.resultCode).toBe(21);
});

test("a device with a sandbox code moves in three calls without an email", async () => {
  const { me, activation, callSandbox } = await installed(findCode("MACHINE_LIMIT_EXCEEDED"));
  expect(activation.json.data.resultCode).toBe(22);
  expect((await callSandbox("move/code")).json.data.message).toContain("000 000");
  expect((await callSandbox("move/devices", { emailCode: "123 456" })).status).toBe(400);
  const { machines } = (await callSandbox("move/devices", { emailCode: "000 000" })).json.data;
  const swapped = (await callSandbox("activate", { replaceMachineId: machines[0].id })).json.data;
  const validated = await callSandbox("validate", { machineToken: swapped.machineToken, machine: me });
  expect(validated.json.data.valid).toBe(true);
});

test("rejects a fingerprint that identifies nothing, as a real licence does for a new device", async () => {
  const machine = buildMachine({ fingerprint: "0000-0000" });
  for (const call of ["activate", "move/code"]) {
    const { status, json } = await callAddin(app, call, findCode("VALID"), { machine });
    expect([status, Object.keys(json)]).toEqual([400, ["machine.fingerprint"]]);
  }
});

test("recognises a device by its hexadecimal fingerprint in another letter case, as a real licence does", async () => {
  const code = findCode("VALID");
  const me = buildMachine({ fingerprint: "1F3870BE274F6C49B3E31A0C6728957F" });
  const { machineToken } = (await callAddin(app, "activate", code, { machine: me })).json.data;
  const machine = { ...me, fingerprint: "1f3870be274f6c49b3e31a0c6728957f" };
  expect((await callAddin(app, "validate", code, { machine, machineToken })).json.data.code).toBe("VALID");
});

test("returns 'not found' for an unlisted sandbox code without a database query", async () => {
  const typed = Array.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ", (last) => `SANDB-00099-00000-00000-00000-0000${last}`);
  const [licenceCode = ""] = typed.filter(isWellFormedLicenceCode);
  const statements = await recordStatements(async () => {
    expect((await callAddin(app, "activate", { licenceCode })).json.data).toMatchObject({
      resultCode: 10,
      sandbox: true,
    });
  });
  expect(statements).toEqual([]);
});

const carried = async ({ licenceCode }: SandboxCode) => {
  const requestFile = JSON.stringify(buildRequest(app, licenceCode));
  return app.rest("POST", "/v1/licence/offline", { token: customer, body: { requestFile } });
};

test("an offline activation returns a licence file signed only by sandbox keys", async () => {
  const { status, json } = await carried(findCode("VALID", { licence: "paid" }));
  expect(status).toBe(200);
  const jws = extractJws(json);
  expect(readProof(jws, sandboxKeys)?.payload.data).toMatchObject({ valid: true, sandbox: true });
  expect(readProof(jws, trustedKeys)).toBeNull();
});

test("an offline activation returns 409 for refusals and 404 for an unknown code", async () => {
  for (const result of ["LICENCE_REVOKED", "MACHINE_LIMIT_EXCEEDED", "FAILED"])
    expect((await carried(findCode(result))).status).toBe(409);
  expect((await carried(findCode("VALID", { licence: "concurrent" }))).status).toBe(409);
  expect((await carried(findCode("LICENCE_NOT_FOUND"))).status).toBe(404);
});

const poll = (deviceCode: string) => pollAuthorization(app, { deviceCode, userCode: "", machine: buildMachine() });

test("activates the device when polled with a sandbox code, and returns that code", async () => {
  const { licenceCode } = findCode("VALID", { licence: "paid" });
  const { data } = (await poll(licenceCode)).json;
  expect(data).toMatchObject({ valid: true, sandbox: true, licenceCode, machineToken: expect.any(String) });
  expect((await poll(findCode("MACHINE_LIMIT_EXCEEDED").licenceCode)).json.data.resultCode).toBe(22);
});

test("returns the RFC 8628 error named by the device code", async () => {
  for (const error of ["authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant"]) {
    const { status, json } = await poll(`sandbox-${error}`);
    expect(status).toBe(400);
    expect(json.error).toBe(error);
  }
});

test("permits a device to run, gives a seat, and refuses", async () => {
  const all = codes("VALID").find(({ warnings }) => warnings.length === 4) as SandboxCode;
  await sameAs("sandbox-activate-valid", (await installed(findCode("VALID", { licence: "paid" }))).activation);
  await sameAs("sandbox-validate-warnings", await (await installed(all)).callSandbox("validate"));
  await sameAs("sandbox-lease-valid", await (await installed(findCode("VALID", { licence: "concurrent" }))).leased());
  const expired = await installed(findCode("LICENCE_EXPIRED", { afterActivation: true }));
  await sameAs("sandbox-validate-licence-expired", await expired.callSandbox("validate"));
  await sameAs("sandbox-signing-keys", await app.rest("GET", "/v1/licence/sandbox/signing-keys"));
});

test("prevents any licence row from having a sandbox code", async () => {
  const owner = await createUser(app);
  await expect(createLicence(app, owner, { licenceCode: withAnswers[0]?.licenceCode as string })).rejects.toThrow(
    /licences_no_sandbox_code/,
  );
});

test("limits requests to 600 a minute from one address", async () => {
  const limited = await createApp(await openSecondProcess(app, { rateLimits: true }));
  const payload = { ...buildRequest(app, withAnswers[0]?.licenceCode ?? ""), nonce: "the-same-nonce" };
  const send = () => limited.inject({ method: "POST", url: "/v1/licence/activate", payload });
  expect((await send()).statusCode).toBe(200);
  await app.services.pool.query("update rate_limits set points = 599 where key like '%sandbox%'");
  expect((await send()).statusCode).toBe(200);
  const refused = await send();
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await callAddin(app, "activate", { licenceCode: payload.licenceCode })).status).toBe(200);
});
