import { createHash, generateKeyPairSync } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { rollBackSoftware } from "#api/releases/software/change-offer.ts";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { DAY } from "#api/platform/clock.ts";
import { createDevice } from "#tests/factories/licence.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { ReferenceClient } from "#clients/reference/client.ts";
import { forwardUnchanged, startHttpProxy } from "#tests/support/http-proxy.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { networks, signJws } from "#tests/licensing/conformance/scenario-networks.ts";
import { createWorld, type ReferenceWorld } from "#tests/licensing/conformance/scenario-world.ts";

const app = await startTestApp();
const proxy = await startHttpProxy(app.url);
afterEach(() => {
  app.clock.setOffset(0);
  proxy.set(forwardUnchanged);
});
const means = { app, accessToken: "", earlier: () => ({ status: 500, body: "" }) };

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
  const code = await readEmailedCode(world);
  const { data } = await world.client.movableDevices(world.licenceCode, code);
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

describe("newer add-in", () => {
  test("is announced with its address and checksum, but only to add-ins in the same stage", async () => {
    const { client } = await createWorld(app, proxy.url);
    expect(await client.checkUpdate()).toBeNull();
    await publishTestBuild(app, "7.3.0", { content: "the installer" });
    expect(await client.checkUpdate()).toEqual({
      version: "7.3.0",
      url: expect.stringMatching(/^http:\/\/portal\.test\/software\/production\/7\.3\.0\//),
      sha256: createHash("sha256").update("the installer").digest("hex"),
    });
    expect(await client.checkUpdate(3)).toBeNull();
  });

  test("is refused if it is unsigned, changed, replayed, expired or withheld", async () => {
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
    const current = await rememberAnswer(client);
    answerWith(current);
    app.clock.setOffset(8 * DAY);
    expect(await client.checkUpdate()).toEqual({ refused: "expired" });
    app.clock.setOffset(0);
    proxy.set(forwardUnchanged);
  });

  test("is required once the current version is too old: the old one stops, even offline, and the new one runs", async () => {
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

  test("is not announced if its address is not a web address", async () => {
    const { client } = await createWorld(app, proxy.url);
    const body = JSON.stringify({ version: "9", url: "file:///c:/x.exe", sha256: "a".repeat(64), proof: "" });
    proxy.set(() => ({ status: 200, headers: { "content-type": "application/json" }, body }));
    expect(await client.checkUpdate()).toEqual({ unanswered: "garbage" });
  });
});
