import { Readable } from "node:stream";
import { publishBuild } from "#api/features/software/publish-build.ts";
import type { Files } from "#api/platform/files/files.ts";
import type { SoftwareBuild } from "#api/features/software/software-build.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Publishes a build through the front door; Production unless `stage` says otherwise. */
export function publishTestBuild(
  test: Pick<TestApp, "context">,
  version: string,
  { stage = 4, content = `installer of ${version}`, fileName = `XER-Bridge-Setup-${version}.exe` } = {},
): Promise<SoftwareBuild> {
  return publishBuild(test.context(), { stage, version, fileName }, Readable.from([Buffer.from(content)]));
}

/** Keys of the files stored below `under`. */
export async function storedKeys(files: Files, under = "software"): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(under)) keys.push(key);
  return keys;
}
