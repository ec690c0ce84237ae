import { Readable } from "node:stream";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishBuild } from "#api/releases/software/publish-build.ts";
import type { Files } from "#api/platform/files/files.ts";
import type { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import type { ClickOnceBuild } from "./click-once.ts";
import { getUploadedFiles, uploadGraphql } from "./software-upload.ts";
import { createAdmin, signInAs } from "./user.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Adds and publishes a build, by default in the Production stage. */
export async function publishTestBuild(
  test: Pick<TestApp, "context">,
  version: string,
  { stage = 4, content = `installer of ${version}`, fileName = `Planvarro-Setup-${version}.exe` } = {},
): Promise<SoftwareBuild> {
  const openInstaller = async () => Readable.from([Buffer.from(content)]);
  const { id } = await addBuild(test.context(), { stage, version, fileName }, openInstaller);
  return publishBuild(test.context(), id);
}

/** Uploads a ClickOnce build over GraphQL as an admin and publishes it. */
export async function publishClickOnceBuild(test: TestApp, build: ClickOnceBuild, stage = 4): Promise<SoftwareBuild> {
  const token = await signInAs(test, await createAdmin(test));
  const { json } = await uploadGraphql(test, token, { softwareStage: stage }, getUploadedFiles(build));
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return publishBuild(test.context(), json.data.uploadSoftware.id);
}

/** Lists the keys of the stored files below `under`. */
export async function listStoredKeys(files: Files, under = "software"): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(under)) keys.push(key);
  return keys;
}
