import { expect, test } from "vitest";
import { type SandboxCode, sandboxCodes } from "#schema/sandbox-codes.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { callAddin, buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import type { ClientOptions, Machine } from "#tests/licensing/reference-client/requests.ts";
import { ReferenceClient } from "#tests/licensing/reference-client/client.ts";
import { createMemoryStore } from "#tests/licensing/reference-client/store.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { createApp } from "#api/app.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const limited = await createApp(await openSecondProcess(app, { rateLimits: true }));

function client(changes: Partial<ClientOptions> = {}) {
  const me = buildMachine() as Machine;
  return new ReferenceClient({
    url: app.url,
    store: createMemoryStore(),
    now: () => app.clock.now(),
    machine: () => me,
    sleep: async () => {},
    timeLimitMs: 10_000,
    addInVersion: "7.2.0",
    hostVersion: "16.0.17328",
    ...changes,
  });
}

const testBuild = () => client({ keysPath: "/v1/licence/sandbox/signing-keys" });
const answering = sandboxCodes.filter(({ status }) => !status);

test("does not let a production add-in run on any code, and stores nothing", async () => {
  for (const { licenceCode } of answering) {
    const inUse = client();
    expect(await inUse.activate(licenceCode), licenceCode).toMatchObject({ canRun: false });
    expect(await inUse.start(), licenceCode).toMatchObject({ canRun: false });
    expect(inUse.options.store.read()).not.toHaveProperty("proof");
  }
});

test("stores no sandbox data in the database", async () => {
  const em = app.services.orm.em.fork();
  expect(await em.count(LicenceEvent, {})).toBe(0);
  expect(await em.count(Device, {})).toBe(0);
});

/** Returns the decision of a test build: the first refusal, or VALID. */
async function decided(code: SandboxCode) {
  const build = testBuild();
  const first = await build.activate(code.licenceCode);
  if (!build.options.store.read().machineToken) return first;
  const started = await build.start(code.result === "FEATURE_NOT_LICENSED" ? undefined : []);
  if (started.reason !== "seat-needed") return started;
  const seated = await build.lease();
  return seated.canRun ? build.heartbeat() : seated;
}

test("lets a test build run with every code that permits it, and with no other code", async () => {
  const harmless = ["DEACTIVATION_LIMIT_EXCEEDED", "MACHINE_OFFLINE_LOCKED", "FEATURE_NOT_LICENSED"];
  for (const code of answering) {
    const decision = await decided(code);
    const canRun = code.result === "VALID" || harmless.includes(code.result);
    expect(decision, code.licenceCode).toMatchObject(canRun ? { canRun: true } : { canRun: false, reason: "refused" });
    if (!canRun) expect(decision, code.licenceCode).toHaveProperty("resultCode", Number(code.licenceCode.slice(6, 11)));
    else expect(decision.warnings, code.licenceCode).toEqual(code.warnings);
  }
});

test("prevents any licence row from having a sandbox code", async () => {
  const owner = await createUser(app);
  await expect(createLicence(app, owner, { licenceCode: answering[0]?.licenceCode as string })).rejects.toThrow(
    /licences_no_sandbox_code/,
  );
});

test("limits requests to 600 a minute from one address", async () => {
  const payload = { ...buildRequest(app, answering[0]?.licenceCode ?? ""), nonce: "the-same-nonce" };
  const send = () => limited.inject({ method: "POST", url: "/v1/licence/activate", payload });
  expect((await send()).statusCode).toBe(200);
  await app.services.pool.query("update rate_limits set points = 599 where key like '%sandbox%'");
  expect((await send()).statusCode).toBe(200);
  const refused = await send();
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await callAddin(app, "activate", { licenceCode: payload.licenceCode })).status).toBe(200);
});
