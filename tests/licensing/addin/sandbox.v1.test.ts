import { describe, expect, test } from "vitest";
import { ResultCode } from "#schema/catalogue.ts";
import { type SandboxCode, sandboxCodes } from "#schema/sandbox-codes.ts";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { ask, machine } from "#tests/factories/addin.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { statementsOf } from "#tests/support/count-statements.ts";
import { goldenOf } from "#tests/support/golden.ts";
import { jwsInLicenceFile, readProof } from "#tests/support/proof.ts";
import { type RestAnswer, startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const sameAs = goldenOf(app, "/v1/licence/sandbox/signing-keys");
const customer = await signInAs(app, await createUser(app));
const sandboxKeys = (await app.rest("GET", "/v1/licence/sandbox/signing-keys")).json;
const trustedKeys = (await app.rest("GET", "/v1/licence/signing-keys")).json;

const codes = (result: string) => sandboxCodes.filter((code) => code.result === result && !code.status);
const codeOf = (result: string, more: Partial<SandboxCode> = {}) => {
  const found = codes(result).find((code) =>
    Object.entries({ afterActivation: false, ...more }).every(
      ([name, value]) => code[name as keyof SandboxCode] === value,
    ),
  );
  if (!found) throw new Error(`No sandbox code of ${result}.`);
  return found;
};

/** A machine that asks with a sandbox code; it has the token of the activation, or any text where that was refused. */
async function installed(code: SandboxCode) {
  const me = machine();
  const activation = await ask(app, "activate", code, { machine: me });
  const isFull = activation.json.data.code === "MACHINE_LIMIT_EXCEEDED";
  const swap = { machine: me, replaceMachineId: crypto.randomUUID() };
  const place = isFull ? await ask(app, "activate", code, swap) : activation;
  const machineToken: string = place.json.data.machineToken ?? "none was given";
  const leased = () => asks("lease", { sessionId: "one" });
  const asks = (call: string, changes: object = {}) => ask(app, call, code, { machine: me, machineToken, ...changes });
  return { me, activation, machineToken, asks, leased };
}

const events = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `c-${n}`, kind: "conversion", atUtc: app.clock.now().toISOString() }));
const asked: Record<string, object> = {
  validate: {},
  lease: { sessionId: "one" },
  heartbeat: { leaseId: crypto.randomUUID() },
  release: { leaseId: crypto.randomUUID() },
  usage: { events: events(1) },
  deactivate: { reason: "Device change" },
  "move/code": {},
  "move/devices": { emailCode: "000000" },
};

/** Every answer of a code: each call after an activation, seats with the lease that was given. */
async function everyAnswer(code: SandboxCode): Promise<RestAnswer[]> {
  const { activation, asks, leased } = await installed(code);
  const answers = [activation];
  const { data } = (await leased()).json;
  const seat = data.lease ? { leaseId: data.lease.id } : {};
  for (const [call, more] of Object.entries(asked)) {
    const isSeat = call === "heartbeat" || call === "release";
    answers.push(await asks(call, isSeat ? { ...more, ...seat } : more));
  }
  answers.push(await asks("validate", { features: ["costs"] }));
  return answers;
}

const withAnswers = sandboxCodes.filter(({ status }) => !status);

describe.each(withAnswers.map((code) => [code.licenceCode, code.result, code] as const))("%s", (_, result, code) => {
  test(`answers ${result} at least once, every proof the sandbox's and none that an add-in in use trusts`, async () => {
    const answers = await everyAnswer(code);
    const results = new Set(answers.map(({ json }) => json.data.code));
    expect(results).toContain(result);
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      expect(json.data.sandbox).toBe(true);
      expect(json.data.resultCode).toBe(ResultCode[json.data.code as keyof typeof ResultCode]);
      expect(readProof(json.proof, sandboxKeys)?.payload.data).toEqual(json.data);
      expect(readProof(json.proof, trustedKeys)).toBeNull();
    }
  });

  test("answers the same each time, and reads and writes nothing", async () => {
    const me = machine();
    const same = () => ask(app, "activate", code, { machine: me });
    const first = (await same()).json.data;
    const statements = await statementsOf(async () => {
      expect((await same()).json.data).toEqual({ ...first, serverTimeUtc: expect.any(String), ...times(first) });
    });
    expect(statements).toEqual([]);
  });
});

const times = (data: Record<string, unknown>) => ({
  ...(data.graceUntilUtc ? { graceUntilUtc: expect.any(String), validateAfterUtc: expect.any(String) } : {}),
  ...(data.licence ? { licence: { ...(data.licence as object), expiryDateUtc: expect.any(String) } } : {}),
});

test("every result code has a sandbox code, and every warning", () => {
  expect(new Set(withAnswers.map(({ result }) => result))).toEqual(new Set(Object.keys(ResultCode)));
});

describe("a machine with a sandbox code", () => {
  test("that activated is refused afterwards by the codes of a licence that was in use", async () => {
    for (const code of sandboxCodes.filter(({ afterActivation }) => afterActivation)) {
      const { activation, asks } = await installed(code);
      expect(activation.json.data).toMatchObject({ valid: true, machineToken: expect.stringMatching(/^[\w-]{43}$/) });
      expect((await asks("validate")).json.data).toMatchObject({
        code: code.result,
        machine: activation.json.data.machine,
      });
    }
  });

  test("needs the token it was given: another text is 401, another code's 21, another machine's 23", async () => {
    const { machineToken, asks } = await installed(codeOf("VALID", { licence: "paid" }));
    expect((await asks("validate")).json.data.valid).toBe(true);
    expect((await asks("validate", { machineToken: "A".repeat(43) })).status).toBe(401);
    expect((await asks("validate", { machine: machine() })).json.data.resultCode).toBe(23);
    const other = await installed(codeOf("VALID", { licence: "trial" }));
    expect((await other.asks("validate", { machineToken })).json.data.resultCode).toBe(21);
  });

  test("has a seat that heartbeats keep and another machine does not have", async () => {
    const code = codeOf("VALID", { licence: "concurrent" });
    const { asks, leased } = await installed(code);
    const { lease } = (await leased()).json.data;
    expect(lease).toMatchObject({ heartbeatIntervalMinutes: 15, inUse: 1, seats: 5 });
    expect((await leased()).json.data.lease.id).toBe(lease.id);
    expect((await asks("lease", { sessionId: "two" })).json.data.lease.id).not.toBe(lease.id);
    expect((await asks("heartbeat", { leaseId: lease.id })).json.data.lease.id).toBe(lease.id);
    const other = await installed(code);
    expect((await other.asks("heartbeat", { leaseId: lease.id })).json.data.resultCode).toBe(32);
    expect((await asks("release", { leaseId: lease.id })).json.data.valid).toBe(true);
  });

  test("that uses a call wrongly is answered as the protocol answers", async () => {
    const { asks, leased } = await installed(codeOf("VALID", { licence: "paid" }));
    const answer = (await leased()).json.data;
    expect(answer.valid).toBe(true);
    expect(answer).not.toHaveProperty("lease");
    expect((await asks("heartbeat", { leaseId: crypto.randomUUID() })).json.data.resultCode).toBe(32);
    expect((await asks("lease", { sessionId: "" })).status).toBe(400);
  });

  test("reports use of a trial, and frees its place", async () => {
    const { asks } = await installed(codeOf("VALID", { licence: "trial" }));
    expect((await asks("usage", { events: events(3) })).json.data).toMatchObject({ valid: true, usageRemaining: 17 });
    expect((await asks("deactivate", { reason: "x" })).json.data).toMatchObject({
      valid: true,
      deactivationsRemaining: 2,
    });
  });

  test("may type the code in any way, and is told of a typing mistake", async () => {
    const { licenceCode } = codeOf("LICENCE_REVOKED");
    for (const typed of [
      licenceCode.toLowerCase(),
      ` ${licenceCode.replaceAll("-", " ")}`,
      licenceCode.replace("00", "oO"),
    ])
      expect((await ask(app, "activate", { licenceCode: typed })).json.data).toMatchObject({
        resultCode: 12,
        sandbox: true,
      });
    expect((await ask(app, "activate", { licenceCode: `${licenceCode.slice(0, -1)}Z` })).status).toBe(400);
  });

  test("moves in three calls, with no mail", async () => {
    const { me, activation, asks } = await installed(codeOf("MACHINE_LIMIT_EXCEEDED"));
    expect(activation.json.data.resultCode).toBe(22);
    expect((await asks("move/code")).json.data.message).toContain("000 000");
    expect((await asks("move/devices", { emailCode: "123 456" })).status).toBe(400);
    const { machines } = (await asks("move/devices", { emailCode: "000 000" })).json.data;
    const swapped = (await asks("activate", { replaceMachineId: machines[0].id })).json.data;
    const validated = await asks("validate", { machineToken: swapped.machineToken, machine: me });
    expect(validated.json.data.valid).toBe(true);
  });
});

test("a sandbox code that is not listed is not known, and asks nobody", async () => {
  const [licenceCode = ""] = Array.from(
    "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    (last) => `SANDB-00099-00000-00000-00000-0000${last}`,
  ).filter(isWellFormedLicenceCode);
  const statements = await statementsOf(async () => {
    expect((await ask(app, "activate", { licenceCode })).json.data).toMatchObject({ resultCode: 10, sandbox: true });
  });
  expect(statements).toEqual([]);
});

describe("the codes of a status", () => {
  test.each(sandboxCodes.filter(({ status }) => status))("$licenceCode is $status with Retry-After", async (code) => {
    const answer = await ask(app, "activate", code);
    expect(answer.status).toBe(code.status);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.json).toHaveProperty("requestId");
  });
});

describe("offline", () => {
  const carried = async (code: SandboxCode) => {
    const requestFile = JSON.stringify({
      licenceCode: code.licenceCode,
      nonce: "carried-by-hand",
      clientTimeUtc: app.clock.now().toISOString(),
      addInVersion: "7.2.0",
      hostVersion: "16",
      machine: machine(),
    });
    return app.rest("POST", "/v1/licence/offline", { token: customer, body: { requestFile } });
  };

  test("a sandbox code gives a licence file of the sandbox's keys alone", async () => {
    const { status, json } = await carried(codeOf("VALID", { licence: "paid" }));
    expect(status).toBe(200);
    const jws = jwsInLicenceFile(json);
    expect(readProof(jws, sandboxKeys)?.payload.data).toMatchObject({ valid: true, sandbox: true });
    expect(readProof(jws, trustedKeys)).toBeNull();
  });

  test("refusals are 409, an unknown code 404", async () => {
    for (const result of ["LICENCE_REVOKED", "MACHINE_LIMIT_EXCEEDED", "FAILED"])
      expect((await carried(codeOf(result))).status).toBe(409);
    expect((await carried(codeOf("VALID", { licence: "concurrent" }))).status).toBe(409);
    expect((await carried(codeOf("LICENCE_NOT_FOUND"))).status).toBe(404);
  });
});

describe("signing in", () => {
  const poll = (device_code: string) =>
    app.rest("POST", "/v1/licence/device-authorization/token", {
      body: {
        device_code,
        nonce: "poll-0123456789",
        clientTimeUtc: app.clock.now().toISOString(),
        addInVersion: "7.2.0",
        hostVersion: "16",
        machine: machine(),
      },
    });

  test("a poll with a sandbox code activates it, with the code to keep", async () => {
    const { licenceCode } = codeOf("VALID", { licence: "paid" });
    const { data } = (await poll(licenceCode)).json;
    expect(data).toMatchObject({ valid: true, sandbox: true, licenceCode, machineToken: expect.any(String) });
    expect((await poll(codeOf("MACHINE_LIMIT_EXCEEDED").licenceCode)).json.data.resultCode).toBe(22);
  });

  test("a poll that names a refusal of RFC 8628 gets it", async () => {
    for (const error of ["authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant"]) {
      const { status, json } = await poll(`sandbox-${error}`);
      expect(status).toBe(400);
      expect(json.error).toBe(error);
    }
  });
});

describe("the published JSON of the sandbox", () => {
  test("when the machine may run, on a seat, and when it may not", async () => {
    const all = codes("VALID").find(({ warnings }) => warnings.length === 4) as SandboxCode;
    await sameAs("sandbox-activate-valid", (await installed(codeOf("VALID", { licence: "paid" }))).activation);
    await sameAs("sandbox-validate-warnings", await (await installed(all)).asks("validate"));
    await sameAs("sandbox-lease-valid", await (await installed(codeOf("VALID", { licence: "concurrent" }))).leased());
    await sameAs(
      "sandbox-validate-licence-expired",
      await (await installed(codeOf("LICENCE_EXPIRED", { afterActivation: true }))).asks("validate"),
    );
    await sameAs("sandbox-signing-keys", await app.rest("GET", "/v1/licence/sandbox/signing-keys"));
  });
});
