import { Readable } from "node:stream";
import { addBuild } from "#api/features/software/add-build.ts";
import { publishBuild } from "#api/features/software/publish-build.ts";
import type { Files } from "#api/platform/files/files.ts";
import { SoftwareBuild } from "#api/features/software/software-build.entity.ts";
import { SoftwareFile } from "#api/features/software/software-file.entity.ts";
import type { ClickOnceBuild } from "./click-once.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Publishes a build through the front door; Production unless `stage` says otherwise. */
export async function publishTestBuild(
  test: Pick<TestApp, "context">,
  version: string,
  { stage = 4, content = `installer of ${version}`, fileName = `XER-Bridge-Setup-${version}.exe` } = {},
): Promise<SoftwareBuild> {
  const installer = Readable.from([Buffer.from(content)]);
  const { id } = await addBuild(test.context(), { stage, version, fileName }, installer);
  return publishBuild(test.context(), id);
}

/** Publishes a ClickOnce build with the files beside its installer. */
export async function publishClickOnceBuild(
  test: Pick<TestApp, "context">,
  { version, installer, vsto, files }: ClickOnceBuild,
  stage = 4,
): Promise<SoftwareBuild> {
  const context = test.context();
  const given = { stage, version, fileName: installer.name };
  const { id } = await addBuild(context, given, Readable.from([installer.content]));
  const paths = [...files, [vsto.name, vsto.content] as const];
  for (const [index, [path, content]] of paths.entries()) {
    const storageKey = `software/${id}/${index}`;
    const stored = await context.files.put(storageKey, Readable.from(content.length > 0 ? [content] : []));
    const kind = path === vsto.name ? "deployment-manifest" : "application-file";
    const build = context.em.getReference(SoftwareBuild, id);
    context.em.create(SoftwareFile, { build, kind, path, pathKey: path.toLowerCase(), storageKey, ...stored });
  }
  await context.em.flush();
  return publishBuild(test.context(), id);
}

/** Keys of the files stored below `under`. */
export async function storedKeys(files: Files, under = "software"): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(under)) keys.push(key);
  return keys;
}
