import { afterEach, describe, expect, test, vi } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { createBareProgram, createProgram } from "#tests/factories/click-once.ts";
import { type HostileUpload, goodBuild, installer, manifests, types, zips } from "#tests/factories/hostile-uploads.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import {
  getUploadedFiles,
  listSpooledFiles,
  type UploadedFiles,
  uploadBase64,
  uploadGraphql,
  uploadMultipart,
  useOwnTemporaryFolder,
} from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const admin = await signInAs(app, await createAdmin(app));
await publishTestBuild(app, "7.2.0", { stage: 3, content: "what testers have" });
const published = await listStoredKeys(app.services.files);

// After each rejection nothing is stored and the offered build is unchanged.
afterEach(async () => {
  await vi.waitFor(() => expect(listSpooledFiles(app)).toEqual([]));
  expect(await listStoredKeys(app.services.files)).toEqual(published);
  expect([await app.context().em.count(SoftwareBuild), await app.context().em.count(AuditEntry)]).toEqual([1, 0]);
  expect((await app.rest("GET", "/software/beta/setup.exe")).text).toBe("what testers have");
});

describe.each([
  ["type", types],
  ["zip", zips],
  ["manifest", manifests],
])("rejects the %s:", (_kind, cases) => {
  test.each(cases)("%s", async (_what, make, field, sentence) => {
    const { status, json } = await uploadMultipart(app, admin, { softwareStage: "3" }, await make());
    expect([status, json]).toEqual([400, { [field]: [expect.stringMatching(sentence)] }]);
  });
});

describe.each([
  ["GraphQL", uploadGraphql, 3],
  ["base64", uploadBase64, 3],
  ["multipart", uploadMultipart, "3"],
] as const)("an upload as %s", (client, send, softwareStage) => {
  const upload = (fields: Record<string, string>, files: UploadedFiles) =>
    send(app, admin, { ...fields, softwareStage } as never, files);
  const getFieldErrors = (json: { errors?: { extensions: { code: string; fields: unknown } }[] }) =>
    client === "GraphQL" ? json.errors?.[0]?.extensions.fields : json;

  test.each([types[0], zips[0], zips[24], manifests[13]] as HostileUpload[])(
    "is rejected for %s with the same message",
    async (_what, make, field, sentence) => {
      const { status, json } = await upload({}, await make());
      expect(status).toBe(400);
      expect(getFieldErrors(json)).toEqual({ [field]: [expect.stringMatching(sentence)] });
    },
  );

  test("is rejected if its version contradicts the files", async () => {
    const given = { version: "7.4.0" };
    expect(getFieldErrors((await upload(given, getUploadedFiles(goodBuild))).json)).toEqual({
      version: ["The version in the vsto file is 7.3.0, not 7.4.0."],
    });
    expect(getFieldErrors((await upload(given, installer("setup.exe", createProgram("7.3.0")))).json)).toEqual({
      version: ["The version in the installation file is 7.3.0, not 7.4.0."],
    });
    expect(getFieldErrors((await upload(given, installer("Setup-7.3.0.exe", createBareProgram()))).json)).toEqual({
      version: ["The version in the name of the installation file is 7.3.0, not 7.4.0."],
    });
  });

  test.each([
    ["installationFile", "setup.exe", "MZ", 25_600_000, "installation file may have at most 25,600,000 bytes"],
    ["vstoFile", "a.vsto", "<a/>", 1_024_000, "vsto file may have at most 1,024,000 bytes"],
    [
      "applicationFilesZipFile",
      "a.zip",
      "PK\x03\x04",
      62_914_560,
      "application files zip may have at most 62,914,560 bytes",
    ],
  ])("is rejected with 413 if the %s is one byte too large", async (field, name, beginning, limit, sentence) => {
    const content = Buffer.alloc(limit + 1);
    content.write(beginning, "latin1");
    const { status, json } = await upload({}, { ...getUploadedFiles(goodBuild), [field]: { name, content } });
    expect(status).toBe(413);
    const message = `File is too large. The ${sentence}.`;
    if (client === "GraphQL")
      expect(json.errors[0]).toMatchObject({
        message,
        extensions: { code: "PAYLOAD_TOO_LARGE", fields: { [field]: ["File is too large."] } },
      });
    else expect(json.Message).toBe(message);
  });
});
