import { expect, test } from "vitest";
import { createHash } from "node:crypto";
import { SoftwareBuild, SoftwareFile } from "#api/releases/software/software-build.entity.ts";
import { createBareProgram, createClickOnceBuild, createProgram } from "#tests/factories/click-once.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import {
  getUploadedFiles,
  listSpooledFiles,
  uploadBase64,
  uploadGraphql,
  uploadMultipart,
  useOwnTemporaryFolder,
} from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const admin = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
const toSha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const findBuilds = (stage: number) =>
  app.context().em.find(SoftwareBuild, { stage }, { orderBy: { createdAt: "asc" } });

test("stores a multipart upload as a draft, with all files at the paths in the manifests", async () => {
  const build = await createClickOnceBuild("7.3.0");
  const answer = await uploadMultipart(app, admin, { softwareStage: "3" }, getUploadedFiles(build));
  expect([answer.status, answer.json]).toEqual([
    200,
    "Version 7.3.0 has been uploaded to Beta. Publish it when it is ready.",
  ]);
  const [stored] = await findBuilds(3);
  expect(stored).toMatchObject({
    version: "7.3.0",
    versionParts: [7, 3, 0, 0],
    fileName: "Planvarro-Setup-7.3.0.exe",
    sizeBytes: build.installer.content.length,
    sha256: toSha256(build.installer.content),
    publishedAt: null,
  });
  const files = await app.context().em.find(SoftwareFile, { build: stored?.id ?? "" });
  expect(new Map(files.map(({ path, kind, sha256 }) => [path, [kind, sha256]]))).toEqual(
    new Map<string, unknown>([
      ["Planvarro.vsto", ["deployment-manifest", toSha256(build.vsto.content)]],
      ...[...build.files].map(([path, content]) => [path, ["application-file", toSha256(content)]] as const),
    ]),
  );
  expect(await listStoredKeys(app.services.files)).toHaveLength(1 + files.length);
  expect(listSpooledFiles(app)).toEqual([]);
});

test("returns the created build from the mutation, and the source of its version, also in the audit log", async () => {
  const build = await createClickOnceBuild("7.3.1");
  const input = { softwareStage: 3, version: "7.3.1" };
  const { status, json } = await uploadGraphql(app, admin, input, getUploadedFiles(build));
  expect([status, json.errors]).toEqual([200, undefined]);
  const { files, id, ...created } = json.data.uploadSoftware;
  expect(created).toMatchObject({
    stage: "BETA",
    stageLabel: "Beta",
    version: "7.3.1",
    state: "UPLOADED",
    url: null,
    uploadedBy: "Grace Hopper",
    sha256: toSha256(build.installer.content),
  });
  expect(files).toHaveLength(6);
  expect(await app.call("softwareBuild { versionSource }", { id }, admin)).toEqual({ versionSource: "VSTO_FILE" });
  const [entry] = await listAuditEntries(app, id);
  expect(entry?.after).toMatchObject({ version: "7.3.1", versionSource: "read from the vsto file" });
});

test("accepts base64 in JSON, as plain text and as data URLs", async () => {
  const build = await createClickOnceBuild("7.3.2");
  const plain = await uploadBase64(app, admin, { softwareStage: 3 }, getUploadedFiles(build));
  expect([plain.status, plain.json]).toEqual([200, expect.stringContaining("Version 7.3.2")]);
  const asUrl = await app.rest("POST", "/v1/software/upload", {
    token: admin,
    body: {
      softwareStage: "2",
      version: "1.0.0",
      installationFile: `data:application/octet-stream;base64,${createBareProgram().toString("base64")}`,
      applicationFilesZipFile: null,
      vstoFile: "",
    },
  });
  expect([asUrl.status, asUrl.json]).toEqual([
    200,
    "Version 1.0.0 has been uploaded to Alpha. Publish it when it is ready.",
  ]);
  const expected = { sizeBytes: createBareProgram().length, fileName: "Planvarro-Setup-1.0.0.exe" };
  expect((await findBuilds(2))[0]).toMatchObject(expected);
});

test("reads the version from the vsto, the installer's resources or its name, and otherwise uses the entered version", async () => {
  const upload = async (name: string, content: Buffer, fields: Record<string, string> = {}) =>
    (await uploadMultipart(app, admin, { softwareStage: "5", ...fields }, { installationFile: { name, content } }))
      .json;
  const answer = (version: string) =>
    `Version ${version} has been uploaded to Special Version (xt333). Publish it when it is ready.`;
  const source = async () => (await findBuilds(5)).at(-1)?.versionSource;
  expect(await upload("setup.exe", createBareProgram(), { version: "2.5" })).toBe(answer("2.5"));
  expect(await source()).toBe("given");
  expect(await upload("Planvarro-Setup-3.1.4.exe", createBareProgram())).toBe(answer("3.1.4"));
  expect(await source()).toBe("file-name");
  expect(await upload("Setup-9.9.9.exe", createProgram("4.0.2.7"))).toBe(answer("4.0.2.7"));
  expect(await source()).toBe("installation-file");
  expect(await upload("setup.exe", createProgram("4.1"), { version: "4.1.0" })).toBe(answer("4.1.0"));
  expect(await source()).toBe("installation-file");
});

test("publishes immediately with publish: true and audits both steps", async () => {
  const build = await createClickOnceBuild("1.2.0");
  const answer = await uploadMultipart(app, admin, { softwareStage: "6", publish: "true" }, getUploadedFiles(build));
  expect(answer.json).toBe(
    "Version 1.2.0, read from the vsto file, has been uploaded to Special Version (xt223) and published.",
  );
  const [stored] = await findBuilds(6);
  expect(stored?.publishedAt).toBeInstanceOf(Date);
  const entries = await listAuditEntries(app, stored?.id ?? "");
  expect(entries.map(({ action }) => action).sort()).toEqual(["publish-software", "upload-software"]);
  expect(entries.find(({ action }) => action === "upload-software")).toMatchObject({
    actorName: expect.stringContaining("Grace Hopper"),
    subjectName: "Special Version (xt223) 1.2.0",
    after: { stage: 6, version: "1.2.0", sha256: toSha256(build.installer.content), applicationFiles: 6 },
  });
  expect((await app.rest("GET", "/software/special-xt223/setup.exe")).status).toBe(200);
});

test.each([
  ["a folder around Application Files", { pathInZip: (path: string) => `publish/${path}` }],
  ["only the version's folder", { pathInZip: (path: string) => path.replace("Application Files/", "") }],
  ["files without .deploy if the vsto doesn't map extensions", { mapFileExtensions: false }],
  ["SHA-1 hashes", { digest: "sha1" as const }],
])("accepts a zip with %s", async (_what, changes) => {
  const build = await createClickOnceBuild("8.0.0", changes);
  const answer = await uploadMultipart(app, admin, { softwareStage: "1" }, getUploadedFiles(build));
  expect(answer.status).toBe(200);
  const stored = (await findBuilds(1)).at(-1);
  const files = await app.context().em.find(SoftwareFile, { build: stored?.id ?? "", kind: "application-file" });
  expect(files.map(({ path }) => path).sort()).toEqual([...build.files.keys()].sort());
});

test("keeps the installer's name, limited to safe characters", async () => {
  const getStoredName = async (name: string) => {
    const files = { installationFile: { name, content: createBareProgram() } };
    await uploadMultipart(app, admin, { softwareStage: "2", version: "1.0.3" }, files);
    return (await findBuilds(2)).at(-1)?.fileName;
  };
  expect(await getStoredName("Übung (neu) 1.EXE")).toBe("Ubung -neu- 1.exe");
  expect(await getStoredName("..\\..\\setup.exe")).toBe("setup.exe");
  expect(await getStoredName("a&b;c.exe")).toBe("a-b-c.exe");
  expect(await getStoredName("Setup v1. (final)..2.exe")).toBe("Setup v1 -final-.2.exe");
  expect(await getStoredName("安装.exe")).toMatch(/^Planvarro-Setup-1\.0\.3\.exe$/);
});

test("keeps a draft that needs a version before publishing when the installer states none", async () => {
  const files = { installationFile: { name: "setup.exe", content: createBareProgram() } };
  const sentence = "The files don't state a version. Enter one, such as 7.2.0.";
  for (const upload of [uploadMultipart, uploadBase64] as const) {
    const { status, json } = await upload(app, admin, { softwareStage: "5" }, files);
    expect([status, json]).toEqual([200, expect.stringContaining("as a draft. Its files don't state a version")]);
    const publishing = await upload(app, admin, { softwareStage: "5", publish: "true" }, files);
    expect([publishing.status, publishing.json]).toEqual([400, { version: [sentence] }]);
  }
  const { json } = await uploadGraphql(app, admin, { softwareStage: 5 }, files);
  const { id, version } = json.data.uploadSoftware;
  expect(version).toBe("");
  const publish = () => app.call("publishSoftware { state version }", { buildId: id }, admin);
  await expect(publish()).rejects.toMatchObject({ fields: { version: [sentence] } });
  const given = { version: "90.1" };
  const entered = await app.call("setSoftwareVersion { version versionSource }", { buildId: id, ...given }, admin);
  expect(entered).toEqual({ ...given, versionSource: "GIVEN" });
  expect(await publish()).toEqual({ state: "OFFERED", ...given });
});

test("promotes a published build to the next stage without another upload", async () => {
  const build = await createClickOnceBuild("9.0.0");
  await uploadMultipart(app, admin, { softwareStage: "2", publish: "true" }, getUploadedFiles(build));
  const alpha = (await findBuilds(2)).at(-1);
  const promote = () =>
    app.call("promoteSoftware { id state version sha256 }", { buildId: alpha?.id, stage: "BETA" }, admin);
  const { id: buildId, ...promoted } = await promote();
  expect(promoted).toEqual({ state: "UPLOADED", version: "9.0.0", sha256: alpha?.sha256 });
  const countFiles = (build: string) => app.context().em.count(SoftwareFile, { build });
  expect(await countFiles(buildId)).toBe(await countFiles(alpha?.id ?? ""));
  expect(await app.call("publishSoftware { state }", { buildId }, admin)).toEqual({ state: "OFFERED" });
  await expect(promote()).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});
