import { generateKeyPairSync } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { ReferenceClient } from "#clients/reference/client.ts";
import { forwardUnchanged, type ProxyHandler, startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { networks, signJws } from "#tests/licensing/conformance/scenario-networks.ts";
import { createWorld, licences, type ReferenceWorld } from "#tests/licensing/conformance/scenario-world.ts";

const app = await startTestApp();
const proxy = await startHttpProxy(app.url);
afterEach(() => {
  app.clock.setOffset(0);
  proxy.set(forwardUnchanged);
});

const em = () => app.services.orm.em.fork();
const means = { app, accessToken: "", earlier: () => ({ status: 500, body: "" }) };
const unplug = () => proxy.set(() => "refuse");
const carriedTo = (path: string) => proxy.carried.filter((request) => request.path === `/v1/licence/${path}`);

async function activated(changes: Partial<Licence> = {}): Promise<ReferenceWorld> {
  const world = await createWorld(app, proxy.url, changes);
  await world.client.activate(world.licenceCode);
  return world;
}

const countUsage = async (world: ReferenceWorld) => (await em().findOneOrFail(Licence, world.licence.id)).usageCount;
/** Simulates a restart of the add-in, which keeps only the store. */
const restarted = ({ client }: ReferenceWorld) => new ReferenceClient(client.options);

test("remains stopped after a refusal when the network is unplugged", async () => {
  const world = await activated();
  await licences.suspended.turn(world);
  expect((await world.client.start()).resultCode).toBe(13);
  unplug();
  expect(await restarted(world).start()).toMatchObject({ canRun: false, reason: "nothing-kept" });
});

test("deletes its token when its device is deactivated, and doesn't use it again", async () => {
  const world = await activated();
  await em().nativeUpdate(Device, { licence: world.licence.id }, { freedAt: app.clock.now() });
  expect((await world.client.start()).resultCode).toBe(21);
  const before = carriedTo("validate").length;
  expect(await world.client.start()).toMatchObject({ canRun: false, reason: "not-activated" });
  expect(carriedTo("validate").length).toBe(before);
});

test("switches to another code that is accepted", async () => {
  const world = await activated();
  const other = await createLicence(app, world.owner, { productLevel: 0 });
  expect(await world.client.activate(other.licenceCode)).toMatchObject({ canRun: true, features: ["schedule"] });
  expect((await world.client.start()).features).toEqual(["schedule"]);
});

test("validates again a day after the last answer, by the service's clock", async () => {
  const world = await activated();
  world.clockErrorMs = 5 * HOUR;
  await world.client.start();
  const due = addMilliseconds(app.clock.now(), DAY).toISOString();
  app.clock.setOffset(23 * HOUR);
  expect(world.client.isValidationDue(due)).toBe(false);
  app.clock.setOffset(24 * HOUR + MINUTE);
  expect(world.client.isValidationDue(due)).toBe(true);
});

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const published = (kid: string) => ({ ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "ES256" });
/** Simulates the service after a key rotation: it signs with a new key and publishes both. */
const rotated =
  (kid: string, keys: (old: unknown[]) => unknown[]): ProxyHandler =>
  async (request, forward) => {
    const answer = JSON.parse(String((await forward()).body));
    if (request.method === "GET") return { status: 200, body: JSON.stringify({ keys: keys(answer.keys) }) };
    const payload = JSON.parse(Buffer.from(answer.proof.split(".")[1], "base64url").toString());
    const proof = signJws({ alg: "ES256", typ: "licence-proof", kid }, payload, privateKey);
    return { status: 200, body: JSON.stringify({ data: answer.data, proof }) };
  };

test("signing keys are fetched once, and once more for a new key", async () => {
  const before = carriedTo("signing-keys").length;
  const fetched = () => carriedTo("signing-keys").length - before;
  const world = await activated();
  for (let n = 0; n < 3; n++) await world.client.start();
  expect(fetched()).toBe(1);
  proxy.set(rotated("new", (old) => [published("new"), ...old]));
  for (let n = 0; n < 3; n++) expect((await world.client.start()).reason).toBe("answered");
  expect(fetched()).toBe(2);
  unplug();
  expect((await world.client.start()).canRun).toBe(true);
});

test("signing keys are never replaced under the same id; an unpublished key is looked up once per answer", async () => {
  const world = await activated();
  const kid = world.store.read().keys[0]?.kid ?? "";
  proxy.set(rotated(kid, () => [published(kid)]));
  expect((await world.client.start()).unanswered).toBe("forged");
  proxy.set(rotated("nobody's", () => [published(kid)]));
  const before = carriedTo("signing-keys").length;
  expect((await world.client.start()).unanswered).toBe("forged");
  expect(carriedTo("signing-keys").length).toBe(before + 1);
  proxy.set(forwardUnchanged);
  expect((await world.client.start()).reason).toBe("answered");
});

test("usage is reported in batches after a long time offline", async () => {
  const world = await activated();
  expect(await world.client.reportUsage(1_200)).toEqual({ reported: 1_200, waiting: 0 });
  expect(await countUsage(world)).toBe(1_200);
});

test("usage waits for the next activation after the device is deactivated", async () => {
  const world = await activated();
  await em().nativeUpdate(Device, { licence: world.licence.id }, { freedAt: app.clock.now() });
  expect(await world.client.reportUsage(1)).toEqual({ reported: 0, waiting: 1 });
  await world.client.activate(world.licenceCode);
  expect(await world.client.reportUsage(0)).toEqual({ reported: 1, waiting: 0 });
  expect(await countUsage(world)).toBe(1);
});

test("usage is never reported on another licence", async () => {
  const world = await activated();
  unplug();
  await world.client.reportUsage(1);
  proxy.set(forwardUnchanged);
  const other = await createLicence(app, world.owner);
  await world.client.activate(other.licenceCode);
  expect(await world.client.reportUsage(1)).toEqual({ reported: 1, waiting: 1 });
});

test("reports usage before deactivating, and keeps nothing that would let the device run", async () => {
  const world = await activated();
  unplug();
  await world.client.reportUsage(1);
  proxy.set(forwardUnchanged);
  expect((await world.client.deactivate("Device change")).data).toMatchObject({ valid: true, machine: {} });
  expect(await countUsage(world)).toBe(1);
  unplug();
  expect(await restarted(world).start()).toMatchObject({ canRun: false, reason: "not-activated" });
});

test("stops running after releasing the seat, with or without an answer", async () => {
  for (const network of ["online", "refused"] as const) {
    const world = await activated(licences.concurrent.made);
    expect((await world.client.lease()).canRun).toBe(true);
    proxy.set(networks[network](means));
    await world.client.release();
    expect(await world.client.start()).toMatchObject({ canRun: false, reason: "seat-needed" });
    proxy.set(forwardUnchanged);
  }
});

test("takes its own seat again after a crash", async () => {
  const world = await activated({ ...licences.concurrent.made, numberOfUsers: 1 });
  await world.client.lease();
  const first = world.store.read().lease?.id;
  expect((await restarted(world).lease()).canRun).toBe(true);
  expect(world.store.read().lease?.id).toBe(first);
});
