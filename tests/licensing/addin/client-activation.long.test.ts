import { afterEach, expect, test } from "vitest";
import { MINUTE, SECOND, addMilliseconds, DAY, toEpochSeconds, HOUR } from "#api/platform/clock.ts";
import { confirmAuthorization, denyAuthorization } from "#tests/factories/device-authorization.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { signInAs } from "#tests/factories/user.ts";
import { ReferenceClient } from "#clients/reference/client.ts";
import type { SignIn } from "#clients/reference/sign-in.ts";
import { forwardUnchanged, startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createWorld, type ReferenceWorld } from "#tests/licensing/conformance/scenario-world.ts";
import { signJws } from "#tests/licensing/conformance/scenario-networks.ts";

const app = await startTestApp();
const proxy = await startHttpProxy(app.url);
afterEach(() => {
  app.clock.setOffset(0);
  proxy.set(forwardUnchanged);
});

/** Creates a device that shows its code, and a customer with a licence who has opened the page. */
async function begun(changes: Parameters<typeof createLicence>[2] = {}) {
  const world = await createWorld(app, proxy.url, changes);
  const signIn = (await world.client.beginSignIn()) as SignIn;
  const token = await signInAs(app, world.owner);
  return {
    world,
    signIn,
    confirms: (licence = world.licence) =>
      confirmAuthorization(app, { userCode: signIn.userCode, licenceId: licence.id }, token),
    denies: () => denyAuthorization(app, signIn.userCode, token),
  };
}

/** Polls again after the current interval. */
async function next({ client }: ReferenceWorld, signIn: SignIn, seconds = signIn.intervalSeconds) {
  app.clock.setOffset(app.clock.offsetMs + seconds * SECOND);
  return client.pollSignIn(signIn);
}

test("shows a code, waits, and runs once the customer has confirmed; stores the licence code and token", async () => {
  const { world, signIn, confirms } = await begun();
  expect(signIn).toMatchObject({ userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/), intervalSeconds: 5 });
  expect(signIn.page).toContain(signIn.userCode);
  expect(await next(world, signIn)).toEqual({ state: "waiting", signIn });
  await confirms();
  const { state, decision } = await next(world, signIn);
  expect(state).toBe("answered");
  expect(decision).toMatchObject({ canRun: true, reason: "answered", resultCode: 1 });
  expect(world.store.read().licenceCode).toBe(world.licence.licenceCode);
  expect(await new ReferenceClient(world.client.options).start()).toMatchObject({ canRun: true, reason: "answered" });
  proxy.set(() => "refuse");
  expect(await world.client.start()).toMatchObject({ canRun: true, reason: "grace" });
});

test("polls 5 seconds slower after each early poll, and is then accepted", async () => {
  const { world, signIn } = await begun();
  await next(world, signIn);
  const slower = await next(world, signIn, 1);
  expect(slower).toMatchObject({ state: "waiting", signIn: { intervalSeconds: 10 } });
  const slowest = await next(world, slower.signIn, 9);
  expect(slowest.signIn.intervalSeconds).toBe(15);
  expect((await next(world, slowest.signIn)).signIn.intervalSeconds).toBe(15);
});

test("stops when the customer denies, and keeps the current licence", async () => {
  const { world, signIn, denies } = await begun();
  await world.client.activate(world.licenceCode);
  await denies();
  expect((await next(world, signIn)).state).toBe("denied");
  expect((await world.client.start()).canRun).toBe(true);
});

test("stops when it expires, with or without an answer, and when the code is unknown", async () => {
  const { world, signIn } = await begun();
  expect((await world.client.pollSignIn({ ...signIn, deviceCode: "nobody-gave-this" })).state).toBe("unknown");
  proxy.set(() => "refuse");
  app.clock.setOffset(14 * MINUTE);
  expect(await world.client.pollSignIn(signIn)).toMatchObject({ state: "waiting", unanswered: "unreachable" });
  app.clock.setOffset(15 * MINUTE);
  expect(await world.client.pollSignIn(signIn)).toMatchObject({ state: "expired", unanswered: "unreachable" });
  proxy.set(forwardUnchanged);
  expect(await world.client.pollSignIn(signIn)).toEqual({ state: "expired", signIn });
});

/** Creates a machine that has never been online. Its keys were delivered with the add-in. */
async function unconnected(): Promise<ReferenceWorld> {
  const world = await createWorld(app, "http://127.0.0.1:9");
  world.store.write({ ...world.store.read(), keys: app.services.keys.jwks().keys });
  return world;
}

/** Returns the portal's answer after the machine's owner has uploaded its request file. */
async function carried({ owner, client, licenceCode }: ReferenceWorld): Promise<{ status: number; file: string }> {
  const body = { requestFile: client.createRequestFile(licenceCode) };
  const { status, json } = await app.rest("POST", "/v1/licence/offline", { body, token: await signInAs(app, owner) });
  return { status, file: json };
}

/** Creates a file like the portal's, with `changes` that only a forger or a faulty service would make. */
function forgedFor(request: string, changes: { header?: object; payload?: object; data?: object }): string {
  const { nonce, machine: asking } = JSON.parse(request) as { nonce: string; machine: { fingerprint: string } };
  const now = app.clock.now();
  const until = addMilliseconds(now, 14 * DAY);
  const data = {
    valid: true,
    resultCode: 1,
    code: "VALID",
    message: "The licence is valid on this device.",
    warnings: [],
    serverTimeUtc: now.toISOString(),
    licence: { id: "0b6f", productLevel: 2, licenceActivationType: 0, features: ["schedule"] },
    machine: { id: "5d1c" },
    graceUntilUtc: until.toISOString(),
    ...changes.data,
  };
  const { kid, privateKey } = app.services.keys.current;
  const header = { alg: "ES256", typ: "licence-file", kid, ...changes.header };
  const { fingerprint } = asking;
  const payload = {
    data,
    nonce,
    fingerprint,
    iat: toEpochSeconds(now),
    exp: toEpochSeconds(until),
    ...changes.payload,
  };
  return `-----BEGIN LICENCE FILE-----\n${signJws(header, payload, privateKey)}\n-----END LICENCE FILE-----\n`;
}

test("a licence file is accepted after emails have reformatted it, and whichever of two answers is installed", async () => {
  const world = await unconnected();
  const { file } = await carried(world);
  world.client.createRequestFile(world.licenceCode);
  const wrapped = file.replace(/([\w.-]{76})/g, "$1\r\n");
  for (const text of [`\ufeff${file}`, file.replaceAll("\n", "\r\n"), `Dear Ada,\n\n${wrapped}\n-- \nSupport`])
    expect(world.client.installLicenceFile(text)).toMatchObject({ canRun: true });
});

test("a licence file does not last longer when the clock is set back", async () => {
  const world = await unconnected();
  world.client.installLicenceFile((await carried(world)).file);
  world.clockErrorMs = -HOUR;
  expect(await world.client.start()).toMatchObject({ canRun: false, reason: "clock-set-back" });
  world.clockErrorMs = 0;
  app.clock.setOffset(10 * DAY);
  expect((await world.client.start()).canRun).toBe(true);
  world.clockErrorMs = -2 * DAY;
  expect(await world.client.start()).toMatchObject({ canRun: false, reason: "clock-set-back" });
});

test("a licence file is rejected if it is for another machine or request, or a forgery", async () => {
  for (const [name, changes, reason] of [
    ["another machine", { payload: { fingerprint: "another-machine" } }, "kept-for-another-machine"],
    ["another request", { payload: { nonce: "another-request" } }, "kept-for-another-machine"],
    ["a proof", { header: { typ: "licence-proof" } }, "kept-forged"],
    ["an access token", { header: { typ: "at+jwt" } }, "kept-forged"],
    ["no signature", { header: { alg: "none" } }, "kept-forged"],
    ["an unknown key", { header: { kid: "other" } }, "kept-forged"],
    ["a refusal", { data: { valid: false, resultCode: 14 } }, "kept-forged"],
    ["no expiry", { data: { graceUntilUtc: undefined } }, "kept-forged"],
  ] as const) {
    const world = await unconnected();
    const request = world.client.createRequestFile(world.licenceCode);
    expect(world.client.installLicenceFile(forgedFor(request, changes)), name).toMatchObject({ canRun: false, reason });
    expect((await world.client.start()).canRun, name).toBe(false);
  }
});
