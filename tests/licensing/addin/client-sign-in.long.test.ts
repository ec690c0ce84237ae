import { afterEach, describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import { confirmAuthorization, denyAuthorization } from "#tests/factories/device-authorization.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { signInAs } from "#tests/factories/user.ts";
import { ReferenceClient } from "#tests/licensing/reference-client/client.ts";
import type { SignIn } from "#tests/licensing/reference-client/sign-in.ts";
import { forwardUnchanged, startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createWorld, type ReferenceWorld } from "#tests/licensing/conformance/scenario-world.ts";

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

describe("signing in instead of entering the code", () => {
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
});
