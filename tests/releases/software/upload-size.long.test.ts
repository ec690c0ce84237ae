import { expect, test } from "vitest";
import { createBareProgram, createClickOnceBuild } from "#tests/factories/click-once.ts";
import { getUploadedFiles, uploadMultipart, useOwnTemporaryFolder } from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const admin = await signInAs(app, await createAdmin(app));

test("accepts three files of exactly the maximum size", async () => {
  const padded = (xml: string) => `${xml}${" ".repeat(1_024_000 - Buffer.byteLength(xml))}`;
  const installer = createBareProgram(25_600_000);
  const zipOfSize = (payloadBytes: number) =>
    createClickOnceBuild("9.0.0", {
      payload: { "pad.bin": Buffer.alloc(payloadBytes, 1) },
      compress: false,
      installer,
      deploymentManifest: padded,
    });
  // The manifest in the zip states the size in eight digits instead of one.
  const overhead = (await zipOfSize(1)).zip.content.length - 1 + 7;
  const build = await zipOfSize(62_914_560 - overhead);
  expect([build.zip.content.length, build.vsto.content.length]).toEqual([62_914_560, 1_024_000]);
  const answer = await uploadMultipart(app, admin, { softwareStage: "4" }, getUploadedFiles(build));
  expect([answer.status, answer.json]).toEqual([200, expect.stringContaining("Version 9.0.0")]);
});
