import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { addBuild } from "#api/releases/software/add-build.ts";
import { signManifest, type UpdateManifest } from "#api/releases/software/update-manifest.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { toReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { generateSigningJwk } from "#api/platform/keys/signing-keys.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { uploadMultipart } from "#tests/factories/software-upload.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const offline = toReleaseKeys([generateSigningJwk()]);
const app = await startTestApp({ releaseKeys: JSON.stringify(offline.jwks()) });
const admin = await signInAs(app, await createAdmin(app));

const draft = (version: string) =>
  addBuild(app.context(), { stage: 4, version, fileName: "Setup.exe" }, async () => Readable.from([version]));
const publish = (buildId: string, signedManifest?: string) =>
  app.graphql(
    `mutation ($buildId: ID!, $signedManifest: String) {
      publishSoftware(buildId: $buildId, signedManifest: $signedManifest) { state }
    }`,
    { buildId, signedManifest },
    admin,
  );
const readManifest = async (id: string): Promise<UpdateManifest> => {
  const { data } = await app.graphql("query ($id: ID!) { softwareBuild(id: $id) { manifestToSign } }", { id }, admin);
  return JSON.parse(data.softwareBuild.manifestToSign);
};
const sign = (manifest: UpdateManifest, days = 30, keys = offline) => {
  const now = app.clock.now();
  if (!keys.signer) throw new Error("no private key");
  return signManifest(keys.signer, manifest, { issuedAt: now, expiresAt: addMilliseconds(now, days * DAY) });
};
const getUpdate = () => app.rest("GET", "/v1/software/update?version=1.0");
const getError = (answer: Awaited<ReturnType<typeof publish>>) => [
  answer.errors?.[0]?.extensions.code,
  answer.errors?.[0]?.extensions.fields?.signedManifest?.[0] ?? answer.errors?.[0]?.message,
];
const getSignedUntil = async () =>
  (await app.graphql("{ softwareChannels { signedUntil } }", {}, admin)).data.softwareChannels[0].signedUntil;

describe("with offline release keys", () => {
  test("publishes a build only with its manifest signed by a release key", async () => {
    const { id } = await draft("7.1.0");
    const manifest = await readManifest(id);
    expect(manifest).toEqual({
      version: "7.1.0",
      url: "http://portal.test/software/production/7.1.0/Setup.exe",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      stage: 4,
      sequence: 1,
    });
    expect(getError(await publish(id))).toEqual(["UNPROCESSABLE", expect.stringMatching(/release keys are offline/)]);
    const stranger = toReleaseKeys([{ ...generateSigningJwk(), kid: offline.jwks().keys[0]?.kid ?? "" }]);
    for (const wrong of ["nonsense", "a.b.c", sign(manifest, 30, stranger), sign(manifest, 91), sign(manifest, -1)])
      expect(getError(await publish(id, wrong))).toEqual(["BAD_USER_INPUT", expect.stringMatching(/valid signature/)]);
    for (const changes of [{ sha256: "0".repeat(64) }, { stage: 3 }, { url: "https://evil.test/Setup.exe" }])
      expect(getError(await publish(id, sign({ ...manifest, ...changes })))).toEqual([
        "BAD_USER_INPUT",
        expect.stringMatching(/another build/),
      ]);
    expect((await getUpdate()).status).toBe(204);

    const proof = sign(manifest);
    expect((await publish(id, proof)).data.publishSoftware.state).toBe("OFFERED");
    expect((await getUpdate()).json).toMatchObject({ version: "7.1.0", sha256: manifest.sha256, proof });
    const signedUntil = Date.parse(await getSignedUntil());
    // The signature was made a moment ago and names whole seconds.
    const lateMs = addMilliseconds(app.clock.now(), 30 * DAY).getTime() - signedUntil;
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(5_000);
    expect((await app.rest("GET", "/v1/software/release-keys")).json).toEqual(offline.jwks());
  });

  test("refuses a manifest that was signed before another publication", async () => {
    const [first, second] = [await draft("7.2.0"), await draft("7.3.0")];
    const early = sign(await readManifest(second.id));
    expect((await publish(first.id, sign(await readManifest(first.id)))).errors).toBeUndefined();
    expect(getError(await publish(second.id, early))).toEqual(["CONFLICT", expect.stringMatching(/sequence 3\.$/)]);
    expect((await publish(second.id, sign(await readManifest(second.id)))).errors).toBeUndefined();
  });

  test("doesn't offer an update after its signature has expired, until it is signed again", async () => {
    app.clock.setOffset(31 * DAY);
    const token = await signInAs(app, await createAdmin(app));
    expect((await getUpdate()).status).toBe(204);
    const { data } = await app.graphql("{ softwareChannels { signedUntil offered { id manifestToSign } } }", {}, token);
    const [{ offered, signedUntil }] = data.softwareChannels;
    expect(signedUntil).toBeNull();
    const signedManifest = sign(JSON.parse(offered.manifestToSign));
    const renewed = await app.graphql(
      "mutation ($buildId: ID!, $signedManifest: String) { publishSoftware(buildId: $buildId, signedManifest: $signedManifest) { state } }",
      { buildId: offered.id, signedManifest },
      token,
    );
    expect(renewed.errors).toBeUndefined();
    expect((await getUpdate()).json).toMatchObject({ version: "7.3.0", proof: signedManifest });
    app.clock.setOffset(0);
  });

  test("refuses to upload and publish in one request", async () => {
    const files = { installationFile: { name: "Setup-9.0.0.exe", content: Buffer.from("MZ and more") } };
    const { status, json } = await uploadMultipart(app, admin, { softwareStage: "4", publish: "true" }, files);
    expect([status, json.Message]).toEqual([422, expect.stringMatching(/release keys are offline/)]);
  });
});
