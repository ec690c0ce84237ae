import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { SoftwareBuild } from "#api/features/software/software-build.entity.ts";
import { SoftwareFile } from "#api/features/software/software-file.entity.ts";
import { bareProgram, clickOnceBuild, programWithVersion } from "#tests/factories/click-once.ts";
import { storedKeys } from "#tests/factories/software.ts";
import { filesOf, spooled, uploadBase64, uploadGraphql, uploadMultipart } from "#tests/factories/software-upload.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
const hexOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const buildsOf = (stage: number) => app.context().em.find(SoftwareBuild, { stage }, { orderBy: { createdAt: "asc" } });

test("a whole build is uploaded by multipart: kept with every file at the path its manifests name, and not published", async () => {
  const build = await clickOnceBuild("7.3.0");
  const answer = await uploadMultipart(app, admin, { softwareStage: "3" }, filesOf(build));
  expect([answer.status, answer.json]).toEqual([
    200,
    "Version 7.3.0 has been uploaded to Beta. Publish it when it is ready.",
  ]);
  const [kept] = await buildsOf(3);
  expect(kept).toMatchObject({
    version: "7.3.0",
    versionParts: [7, 3, 0, 0],
    fileName: "XERBridge-Setup-7.3.0.exe",
    sizeBytes: build.installer.content.length,
    sha256: hexOf(build.installer.content),
    publishedAt: null,
  });
  const files = await app.context().em.find(SoftwareFile, { build: kept?.id ?? "" });
  expect(new Map(files.map(({ path, kind, sha256 }) => [path, [kind, sha256]]))).toEqual(
    new Map<string, unknown>([
      ["XERBridge.vsto", ["deployment-manifest", hexOf(build.vsto.content)]],
      ...[...build.files].map(([path, content]) => [path, ["application-file", hexOf(content)]] as const),
    ]),
  );
  expect(await storedKeys(app.services.files)).toHaveLength(1 + files.length);
  expect(spooled(app)).toEqual([]);
});

test("the mutation answers the build it made", async () => {
  const build = await clickOnceBuild("7.3.1");
  const { status, json } = await uploadGraphql(app, admin, { softwareStage: 3, version: "7.3.1" }, filesOf(build));
  expect(json.errors).toBeUndefined();
  expect(status).toBe(200);
  expect(json.data.uploadSoftware).toMatchObject({
    stage: 3,
    stageLabel: "Beta",
    version: "7.3.1",
    state: "UPLOADED",
    url: null,
    uploadedBy: "Grace Hopper",
    sha256: hexOf(build.installer.content),
  });
  expect(json.data.uploadSoftware.files).toHaveLength(6);
});

test("base64 in JSON does the same, as plain text and as data URLs", async () => {
  const build = await clickOnceBuild("7.3.2");
  const plain = await uploadBase64(app, admin, { softwareStage: 3 }, filesOf(build));
  expect([plain.status, plain.json]).toEqual([200, expect.stringContaining("Version 7.3.2")]);
  const asUrl = await app.rest("POST", "/v1/software/upload", {
    token: admin,
    body: {
      softwareStage: "2",
      installationFile: `data:application/octet-stream;base64,${bareProgram(3).toString("base64")}`,
      applicationFilesZipFile: null,
      vstoFile: "",
    },
  });
  expect([asUrl.status, asUrl.json]).toEqual([
    200,
    "Version 1.0.0 has been uploaded to Alpha. Publish it when it is ready.",
  ]);
  expect((await buildsOf(2))[0]).toMatchObject({ sizeBytes: 3, fileName: "XER-Bridge-Setup-1.0.0.exe" });
});
