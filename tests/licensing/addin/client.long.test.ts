import { generateKeyPairSync, createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { createLicence, createDevice } from "#tests/factories/licence.ts";
import { ReferenceClient } from "#clients/reference/client.ts";
import { forwardUnchanged, type ProxyHandler, startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { networks, signJws } from "#tests/licensing/conformance/scenario-networks.ts";
import { createWorld, licences, type ReferenceWorld } from "#tests/licensing/conformance/scenario-world.ts";
import { rollBackSoftware } from "#api/releases/software/change-offer.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";

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
  expect([await world.client.reportUsage(0), await countUsage(world)]).toEqual([{ reported: 1, waiting: 0 }, 1]);
});

test("usage is never reported on another licence", async () => {
  const world = await activated();
  unplug();
  await world.client.reportUsage(1);
  proxy.set(forwardUnchanged);
  await world.client.activate((await createLicence(app, world.owner)).licenceCode);
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

/** Creates a machine that can't be activated because another device uses the only activation. */
async function createFullLicence() {
  const world = await createWorld(app, proxy.url);
  const old = await createDevice(app, world.licence, { machineName: "OLD-PC|site" });
  expect(await world.client.activate(world.licenceCode)).toMatchObject({ canRun: false, resultCode: 22 });
  return { world, old };
}

async function readEmailedCode({ client, licenceCode, owner }: ReferenceWorld): Promise<string> {
  expect((await client.moveCode(licenceCode)).data).toMatchObject({ valid: true, message: expect.stringMatching("•") });
  const [mail] = await listEmailsTo(app, owner.email);
  return /\b\d{3} \d{3}\b/.exec(mail?.text ?? "")?.[0] ?? "";
}

test("replaces the device the user chooses after entering the emailed code", async () => {
  const { world, old } = await createFullLicence();
  const { data } = await world.client.movableDevices(world.licenceCode, await readEmailedCode(world));
  expect(data).toMatchObject({ valid: true, machines: [{ id: old.id, machineName: "OLD-PC" }] });
  const [chosen] = data?.machines ?? [];
  const decision = await world.client.activate(world.licenceCode, { replaceMachineId: chosen?.id ?? "" });
  expect(decision).toMatchObject({ canRun: true, reason: "answered" });
  expect((await app.services.orm.em.fork().findOneOrFail(Device, old.id)).freedAt).not.toBeNull();
});

test("rejects a forged list of devices", async () => {
  const { world } = await createFullLicence();
  const code = await readEmailedCode(world);
  for (const network of ["changed data", "stranger's key", "another machine"] as const) {
    proxy.set(networks[network](means));
    expect(await world.client.movableDevices(world.licenceCode, code)).toEqual({ unanswered: "forged" });
  }
});

/** Checks for an update and returns the answer's body. */
async function rememberAnswer(client: ReferenceClient): Promise<string> {
  let body = "";
  proxy.set(async (_request, forward) => {
    const answer = await forward();
    body ||= String(answer.body);
    return answer;
  });
  expect(await client.checkUpdate()).toMatchObject({ version: "7.3.1" });
  proxy.set(forwardUnchanged);
  return body;
}

test("a newer add-in is announced with its address and checksum, but only to add-ins in the same stage", async () => {
  const { client } = await createWorld(app, proxy.url);
  expect(await client.checkUpdate()).toBeNull();
  await publishTestBuild(app, "7.3.0", { content: "the installer" });
  expect(await client.checkUpdate()).toEqual({
    version: "7.3.0",
    url: expect.stringMatching(/^http:\/\/portal\.test\/software\/production\/7\.3\.0\//),
    sha256: createHash("sha256").update("the installer").digest("hex"),
  });
  expect(await client.checkUpdate(3)).toBeNull();
  await publishTestBuild(app, "7.3.0.1");
  const beta = new ReferenceClient({ ...client.options, addInVersion: "7.3.0-beta.1" });
  expect(await beta.checkUpdate()).toMatchObject({ version: "7.3.0.1" });
});

test("a newer add-in is refused if it is unsigned, changed, replayed, expired or withheld", async () => {
  const { client } = await createWorld(app, proxy.url);
  await publishTestBuild(app, "7.3.1");
  const replayed = await rememberAnswer(client);
  const newer = await publishTestBuild(app, "7.3.2");
  expect(await client.checkUpdate()).toMatchObject({ version: "7.3.2" });

  const answerWith = (body: string) =>
    proxy.set(() => ({ status: 200, headers: { "content-type": "application/json" }, body }));
  answerWith(replayed);
  expect(await client.checkUpdate()).toEqual({ refused: "rolled-back" });
  const json = JSON.parse(replayed);
  answerWith(JSON.stringify({ ...json, url: "https://evil.test/setup.exe" }));
  expect(await client.checkUpdate()).toEqual({ refused: "different" });
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const payload = JSON.parse(Buffer.from(json.proof.split(".")[1], "base64url").toString());
  const { kid } = app.services.releaseKeys.jwks().keys[0] as { kid: string };
  const forged = signJws({ alg: "ES256", typ: "update-manifest", kid }, { ...payload, sequence: 99 }, privateKey);
  answerWith(JSON.stringify({ ...json, proof: forged }));
  expect(await client.checkUpdate()).toEqual({ refused: "unsigned" });
  proxy.set(() => ({ status: 204, body: "" }));
  expect(await client.checkUpdate()).toEqual({ refused: "missing" });

  // A rollback by the vendor has a higher sequence.
  await rollBackSoftware(app.context(), 4, newer.id);
  answerWith(await rememberAnswer(client));
  app.clock.setOffset(8 * DAY);
  expect(await client.checkUpdate()).toEqual({ refused: "expired" });
  app.clock.setOffset(0);
  proxy.set(forwardUnchanged);
});

test("a newer add-in is required once the current version is too old: the old one stops, even offline, and the new one runs", async () => {
  const { client, licenceCode } = await createWorld(app, proxy.url);
  await publishTestBuild(app, "7.4.0");
  expect(await client.activate(licenceCode)).toMatchObject({ canRun: true, warnings: ["UPDATE_AVAILABLE"] });
  await setMinimumVersion(app.context(), 4, "7.4.0");
  expect(await client.start()).toMatchObject({ canRun: false, reason: "refused", resultCode: 51 });
  proxy.set(() => "refuse");
  expect(await client.start()).toMatchObject({ canRun: false, reason: "nothing-kept" });
  proxy.set(forwardUnchanged);
  const updated = new ReferenceClient({ ...client.options, addInVersion: "7.4.0" });
  expect(await updated.start()).toMatchObject({ canRun: true, warnings: [] });
  await setMinimumVersion(app.context(), 4, null);
});

test("a newer add-in is not announced if its address is not a web address", async () => {
  const { client } = await createWorld(app, proxy.url);
  const body = JSON.stringify({ version: "9", url: "file:///c:/x.exe", sha256: "a".repeat(64), proof: "" });
  proxy.set(() => ({ status: 200, headers: { "content-type": "application/json" }, body }));
  expect(await client.checkUpdate()).toEqual({ unanswered: "garbage" });
});
