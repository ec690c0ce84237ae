import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { brand } from "#schema/brand.ts";
import { labelOf, softwareStages } from "#schema/catalogue.ts";
import { versionSources } from "#schema/software-upload.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { type AddedFile, addBuild } from "#api/releases/software/add-build.ts";
import { publishSoftware } from "#api/releases/software/change-offer.ts";
import { refuseOldVersion } from "#api/releases/software/publish-build.ts";
import type { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { readVersion } from "#api/releases/software/version.ts";
import type { Context } from "#api/platform/context.ts";
import { checkApplication, type PlacedFile } from "./check-application.ts";
import { type CheckedFiles, checkFiles } from "./check-files.ts";
import { decideVersion } from "./decide-version.ts";
import { programVersionOf } from "./program-version.ts";
import { faultOfPath, keyOfPath } from "./safe-path.ts";
import type { SpooledFiles } from "./spool.ts";
import { withZip } from "./zip-entries.ts";

/** What an admin says of an upload; the rules are `uploadSoftwareRules`. */
export interface UploadedBuild {
  readonly softwareStage: number;
  readonly version?: string | undefined;
  readonly publish?: boolean | undefined;
}

/**
 * Checks the files of an upload and keeps them as a build of their stage, which waits to be published unless `publish`
 * says otherwise. What add-ins are offered is not touched before all of it is there.
 * @throws AppError BAD_USER_INPUT for files that are not what they should be or do not agree, or a version that is not above
 * every published one of the stage.
 */
export async function uploadSoftware(
  context: Context,
  { softwareStage: stage, version: given, publish = false }: UploadedBuild,
  spooled: SpooledFiles,
): Promise<SoftwareBuild> {
  const checked = await checkFiles(spooled);
  const { installer, application } = checked;
  const { version, source } = decideVersion({
    vsto: application?.deployment.version ?? null,
    program: await programVersionOf(installer.path),
    installerName: installer.name,
    given,
  });
  // Said before a large zip is read.
  await refuseOldVersion(context.em.fork(), stage, readVersion(version) ?? []);
  return withApplicationFiles(checked, (files) =>
    addBuild(context, { stage, version, fileName: installerName(installer.name, version) }, reading(installer.path), {
      files,
      versionSource: source,
      andThen: async (em, build) => {
        const subject = {
          type: "software",
          id: build.id,
          name: `${labelOf(softwareStages, stage)} ${version}`,
        } as const;
        const { fileName, sizeBytes, sha256 } = build;
        const after = {
          stage,
          version,
          versionSource: versionSources[source],
          fileName,
          sizeBytes,
          sha256,
          applicationFiles: files.length,
        };
        await noteChange(context, em, { action: "upload-software", subject, userId: null, after });
        await em.flush();
        if (publish) await publishSoftware({ ...context, em }, build.id);
      },
    }),
  );
}

/** Runs `work` with the files besides the installer, while the zip in which they are is open. */
async function withApplicationFiles<Result>(
  { application }: CheckedFiles,
  work: (files: AddedFile[]) => Promise<Result>,
): Promise<Result> {
  if (!application) return work([]);
  const { deployment, vsto, zip } = application;
  return withZip(zip.path, async (zipped) => {
    const placed = await checkApplication(deployment, zipped);
    const vstoPath = vstoName(deployment.name, vsto.name);
    return work([
      {
        kind: "deployment-manifest",
        path: vstoPath,
        pathKey: keyOfPath(vstoPath),
        open: reading(vsto.path),
      },
      ...placed.map(applicationFile),
    ]);
  });
}

/** Opens a spooled file when it is its turn; one that is gone is refused there and then, not by an event nobody hears. */
function reading(path: string): () => Promise<Readable> {
  return async () => (await open(path)).createReadStream();
}

function applicationFile({ path, zipped }: PlacedFile): AddedFile {
  return { kind: "application-file", path, pathKey: keyOfPath(path), open: () => zipped.open() };
}

/** What the `.vsto` is called where add-ins ask for it: as its identity says, which stays the same from build to build. */
function vstoName(identity: string | null, fileName: string | null): string {
  const isPlain = (name: string | null): name is string =>
    name !== null && /^[\w. -]{1,80}\.vsto$/i.test(name) && faultOfPath(name) === null;
  const plainFileName = baseName(fileName);
  return isPlain(identity) ? identity : isPlain(plainFileName) ? plainFileName : `${productInNames()}.vsto`;
}

/** The name under which the installer is offered: the one it came with, in characters that every system takes. */
function installerName(name: string | null, version: string): string {
  const plain = baseName(name)
    ?.replace(/\.exe$/i, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9._ -]+/gi, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[^a-z0-9]+|[ .-]+$/gi, "")
    .slice(0, 90)
    .replace(/[ .-]+$/, "");
  return `${plain || `${productInNames()}-Setup-${version}`}.exe`;
}

const productInNames = () => brand.productName.replace(/\s+/g, "-");

function baseName(name: string | null): string | null {
  return name?.split(/[\\/]/).pop() ?? null;
}
