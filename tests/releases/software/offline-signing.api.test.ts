import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { addBuild } from "#api/releases/software/add-build.ts";
import { requestPublishing } from "#api/releases/software/approve-publishing.ts";
import { signManifest, type UpdateManifest } from "#api/releases/software/update-manifest.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
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
  app.call("publishSoftware { state }", { buildId, signedManifest }, admin);
const readManifest = async (id: string): Promise<UpdateManifest> =>
  JSON.parse((await app.call("softwareBuild { manifestToSign }", { id }, admin)).manifestToSign);
const sign = (manifest: UpdateManifest, days = 30, keys = offline) => {
  const now = app.clock.now();
  if (!keys.signer) throw new Error("no private key");
  return signManifest(keys.signer, manifest, { issuedAt: now, expiresAt: addMilliseconds(now, days * DAY) });
};
const getUpdate = () => app.rest("GET", "/v1/software/update?version=1.0");

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
  const expected = { code: "UNPROCESSABLE", message: expect.stringContaining("release keys are offline") };
  await expect(publish(id)).rejects.toMatchObject(expected);
  const refusal = (message: string) => ({ fields: { signedManifest: [expect.stringContaining(message)] } });
  const stranger = toReleaseKeys([{ ...generateSigningJwk(), kid: offline.jwks().keys[0]?.kid ?? "" }]);
  for (const wrong of ["nonsense", "a.b.c", sign(manifest, 30, stranger), sign(manifest, 91), sign(manifest, -1)])
    await expect(publish(id, wrong)).rejects.toMatchObject(refusal("valid signature"));
  for (const changes of [{ sha256: "0".repeat(64) }, { stage: 3 }, { url: "https://evil.test/Setup.exe" }])
    await expect(publish(id, sign({ ...manifest, ...changes }))).rejects.toMatchObject(refusal("another build"));
  expect((await getUpdate()).status).toBe(204);

  const proof = sign(manifest);
  expect(await publish(id, proof)).toEqual({ state: "OFFERED" });
  expect((await getUpdate()).json).toMatchObject({ version: "7.1.0", sha256: manifest.sha256, proof });
  const [{ signedUntil }] = await app.call("softwareChannels { signedUntil }", {}, admin);
  // The signature was made a moment ago and names whole seconds.
  const lateMs = addMilliseconds(app.clock.now(), 30 * DAY).getTime() - Date.parse(signedUntil);
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(5_000);
  expect((await app.rest("GET", "/v1/software/release-keys")).json).toEqual(offline.jwks());
});

test("refuses a manifest that was signed before another publication", async () => {
  const [first, second] = [await draft("7.2.0"), await draft("7.3.0")];
  const early = sign(await readManifest(second.id));
  await publish(first.id, sign(await readManifest(first.id)));
  const expected = { code: "CONFLICT", message: expect.stringMatching(/sequence 3\.$/) };
  await expect(publish(second.id, early)).rejects.toMatchObject(expected);
  await publish(second.id, sign(await readManifest(second.id)));
});

test("doesn't offer an update after its signature has expired, until it is signed again", async () => {
  app.clock.setOffset(31 * DAY);
  const token = await signInAs(app, await createAdmin(app));
  expect((await getUpdate()).status).toBe(204);
  const call = "softwareChannels { signedUntil offered { id manifestToSign } }";
  const [{ offered, signedUntil }] = await app.call(call, {}, token);
  expect(signedUntil).toBeNull();
  const signedManifest = sign(JSON.parse(offered.manifestToSign));
  await app.call("publishSoftware { state }", { buildId: offered.id, signedManifest }, token);
  expect((await getUpdate()).json).toMatchObject({ version: "7.3.0", proof: signedManifest });
  app.clock.setOffset(0);
});

test("lets an admin request that the offered build is signed again, where publishing takes two admins", async () => {
  const { id } = await draft("7.4.0");
  await publish(id, sign(await readManifest(id)));
  const services = { ...app.services, config: { ...app.services.config, twoPersonRelease: true } };
  const actor = { userId: (await createAdmin(app)).id, sessionId: null, role: "admin" } as const;
  const { publishingRequestedBy } = await requestPublishing(createContext(services, { actor }), id);
  expect(publishingRequestedBy?.id).toBe(actor.userId);
});

test("refuses to upload and publish in one request", async () => {
  const files = { installationFile: { name: "Setup-9.0.0.exe", content: Buffer.from("MZ and more") } };
  const { status, json } = await uploadMultipart(app, admin, { softwareStage: "4", publish: "true" }, files);
  expect([status, json.Message]).toEqual([422, expect.stringMatching(/release keys are offline/)]);
});
