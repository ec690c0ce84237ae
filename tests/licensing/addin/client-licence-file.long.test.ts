import { afterEach, describe, expect, test } from "vitest";
import { addMilliseconds, DAY, toEpochSeconds, HOUR } from "#api/platform/clock.ts";
import { signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { signJws } from "#tests/licensing/conformance/scenario-networks.ts";
import { createWorld, type ReferenceWorld } from "#tests/licensing/conformance/scenario-world.ts";

const app = await startTestApp();
const { kid, privateKey } = app.services.keys.current;
const nowhere = "http://127.0.0.1:9";
afterEach(() => app.clock.setOffset(0));

/** Creates a machine that has never been online. Its keys were delivered with the add-in. */
async function unconnected(): Promise<ReferenceWorld> {
  const world = await createWorld(app, nowhere);
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

describe("licence file", () => {
  test("is accepted after emails have reformatted it, and whichever of two answers is installed", async () => {
    const world = await unconnected();
    const { file } = await carried(world);
    world.client.createRequestFile(world.licenceCode);
    const wrapped = file.replace(/([\w.-]{76})/g, "$1\r\n");
    for (const text of [`\ufeff${file}`, file.replaceAll("\n", "\r\n"), `Dear Ada,\n\n${wrapped}\n-- \nSupport`])
      expect(world.client.installLicenceFile(text)).toMatchObject({ canRun: true });
  });

  test("does not last longer when the clock is set back", async () => {
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

  test("is rejected if it is for another machine or request, or a forgery", async () => {
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
      const decision = world.client.installLicenceFile(forgedFor(request, changes));
      expect(decision, name).toMatchObject({ canRun: false, reason });
      expect((await world.client.start()).canRun, name).toBe(false);
    }
  });
});
