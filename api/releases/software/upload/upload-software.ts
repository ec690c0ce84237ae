import { open, readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { trimEnd } from "#schema/clean-text.ts";
import type { UploadSoftwareValues } from "#schema/software.ts";
import { brand } from "#schema/brand.ts";
import {
  versionSources,
  softwareFileErrors,
  type SoftwareFileField,
  softwareFileFields,
  softwareFiles,
  type VersionSource,
} from "#schema/software-upload.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { type AddedFile, addBuild } from "#api/releases/software/add-build.ts";
import { aboutBuild } from "#api/releases/software/find-build.ts";
import { publishSoftware } from "#api/releases/software/change-offer.ts";
import { findPublishingStep, requestPublishing } from "#api/releases/software/approve-publishing.ts";
import { rejectOldVersion, requireVersion } from "#api/releases/software/publish-build.ts";
import type { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { parseVersion, compareVersions, formatVersion } from "#api/releases/software/version.ts";
import type { Context } from "#api/platform/context.ts";
import { requireSafeguards } from "#api/platform/graphql/harm.ts";
import { readInstallerSignature } from "./authenticode.ts";
import { checkApplication } from "./check-application.ts";
import { readProgramVersion } from "./program-version.ts";
import { findPathError, toPathKey } from "./safe-path.ts";
import type { SpooledFiles, SpooledFile } from "./spool.ts";
import { withZip } from "./zip-entries.ts";
import { findLabel } from "#schema/closed-list.ts";
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { badInput, unprocessable } from "#api/platform/errors.ts";
import { type DeploymentManifest, ManifestError, parseDeploymentManifest } from "./manifests.ts";
import { createFileError } from "./upload-errors.ts";

/**
 * Checks the files of an upload, stores them as a build and, with `publish`, publishes it in the same transaction. If
 * another admin must publish it, requests that instead.
 * @throws AppError BAD_USER_INPUT if the files are invalid or contradict each other, or the version isn't above every
 * published version of the stage; UNPROCESSABLE if it can't be published; STEP_UP_REQUIRED or FORBIDDEN if it should be
 * published without a recent proof of identity.
 */
export async function uploadSoftware(
  context: Context,
  { softwareStage: stage, version: given, publish = false }: UploadSoftwareValues & { readonly publish?: boolean },
  spooled: SpooledFiles,
): Promise<SoftwareBuild> {
  if (publish) requireSafeguards("release", context.actor);
  if (publish && !context.releaseKeys.signer)
    throw unprocessable("The release keys are offline. Upload the build without `publish`, then sign its manifest.");
  const checked = await checkFiles(spooled);
  const { installer, application } = checked;
  const signature = await readInstallerSignature(installer.path);
  const signer = signature.state === "signed" ? signature.signer : null;
  const { version, source } = decideVersion({
    vsto: application?.deployment.version ?? null,
    program: await readProgramVersion(installer.path),
    installerName: installer.name,
    given,
  });
  if (publish) requireVersion({ version });
  // Reject an old version before reading a large zip.
  if (version) await rejectOldVersion(context.em.fork(), stage, parseVersion(version) ?? []);
  return withApplicationFiles(checked, (files) =>
    addBuild(
      context,
      { stage, version, fileName: toInstallerName(installer.name, version) },
      openLater(installer.path),
      {
        files,
        versionSource: source,
        signature,
        afterInsert: async (em, build) => {
          const { fileName, sizeBytes, sha256 } = build;
          const after = {
            stage,
            version,
            versionSource: source && findLabel(versionSources, source),
            fileName,
            sizeBytes,
            sha256,
            signer,
            applicationFiles: files.length,
          };
          await recordChange(context, em, { action: "upload-software", ...aboutBuild(build), after });
          await em.flush();
          const own = { ...context, em };
          if (publish && findPublishingStep(context, build) === "PUBLISH") await publishSoftware(own, build.id);
          else if (publish) await requestPublishing(own, build.id);
        },
      },
    ),
  );
}

/** Runs `work` with all files other than the installer, while their zip is open. */
async function withApplicationFiles<Result>(
  { application }: CheckedFiles,
  work: (files: AddedFile[]) => Promise<Result>,
): Promise<Result> {
  if (!application) return work([]);
  const { deployment, vsto, zip } = application;
  return withZip(zip.path, async (zipped) => {
    const placed = await checkApplication(deployment, zipped);
    const vstoPath = getVstoName(deployment.name, vsto.name);
    return work([
      { kind: "deployment-manifest", path: vstoPath, pathKey: toPathKey(vstoPath), open: openLater(vsto.path) },
      ...placed.map(
        ({ path, zipped }): AddedFile => ({
          kind: "application-file",
          path,
          pathKey: toPathKey(path),
          open: () => zipped.open(),
        }),
      ),
    ]);
  });
}

/** Returns a function that opens a spooled file. It rejects if the file is gone, instead of emitting an error event later. */
function openLater(path: string): () => Promise<Readable> {
  return async () => (await open(path)).createReadStream();
}

/**
 * Returns the public name of the `.vsto`: its identity, which is the same in every build, or else its file name or a
 * default.
 */
function getVstoName(identity: string | null, fileName: string | null): string {
  const isSafe = (name: string | null): name is string =>
    name !== null && /^[\w. -]{1,80}\.vsto$/i.test(name) && findPathError(name) === null;
  return [identity, getBaseName(fileName)].find(isSafe) ?? `${getProductSlug()}.vsto`;
}

/** Returns the public name of the installer: its own name, limited to characters that every system accepts. */
function toInstallerName(name: string | null, version: string): string {
  const stem = getBaseName(name)
    ?.replace(/\.exe$/i, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9._ -]+/gi, "-")
    .replace(/\.+(?![a-z0-9])/gi, "")
    .replace(/^[^a-z0-9]+/i, "")
    .slice(0, 90);
  return `${trimEnd(stem ?? "", " .-") || `${getProductSlug()}-Setup${version && `-${version}`}`}.exe`;
}

const getProductSlug = () => brand.productName.replace(/\s+/g, "-");

function getBaseName(name: string | null): string | null {
  return name?.split(/[\\/]/).pop() ?? null;
}

/** The files of a build whose types have been checked. */
interface CheckedFiles {
  readonly installer: SpooledFile;
  /** The ClickOnce application. Null for a build with only an installer. */
  readonly application: {
    readonly zip: SpooledFile;
    readonly vsto: SpooledFile;
    readonly deployment: DeploymentManifest;
  } | null;
}

/** Magic bytes of file types. A `.vsto` is recognised by its content. */
const magicBytes: Partial<Record<SoftwareFileField, readonly string[]>> = {
  installationFile: ["MZ"],
  applicationFilesZipFile: ["PK\x03\x04", "PK\x05\x06"],
};

/**
 * Checks that the files of an upload are complete and have the right types, judged by extension and content. Ignores
 * the media type that the client sends.
 * @throws AppError BAD_USER_INPUT with a message for each invalid field.
 */
async function checkFiles(files: SpooledFiles): Promise<CheckedFiles> {
  const { installationFile: installer, applicationFilesZipFile: zip, vstoFile: vsto } = files;
  const errors: Record<string, string[]> = {};
  if (!installer) errors.installationFile = [softwareFileErrors.required];
  if (zip && !vsto) errors.vstoFile = [softwareFileErrors.needsVsto];
  if (vsto && !zip) errors.applicationFilesZipFile = [softwareFileErrors.needsZip];
  for (const field of softwareFileFields) {
    const file = files[field];
    if (file && file.sizeBytes === 0)
      errors[field] = [field === "installationFile" ? "Installation file is empty." : "File is empty."];
    else if (file && !(await hasFieldType(field, file))) errors[field] = [softwareFileErrors.unsupported];
  }
  if (Object.keys(errors).length > 0 || !installer) throw badInput(errors);
  return { installer, application: zip && vsto ? { zip, vsto, deployment: await readDeployment(vsto) } : null };
}

async function hasFieldType(field: SoftwareFileField, { name, path }: SpooledFile): Promise<boolean> {
  if (name !== null && !name.toLowerCase().endsWith(softwareFiles[field].extension)) return false;
  const expected = magicBytes[field];
  if (!expected) return true;
  const firstBytes = (await buffer(createReadStream(path, { end: 3 }))).toString("latin1");
  return expected.some((bytes) => firstBytes.startsWith(bytes));
}

async function readDeployment(vsto: SpooledFile): Promise<DeploymentManifest> {
  try {
    const deployment = parseDeploymentManifest(await readFile(vsto.path));
    if (!deployment) throw createFileError("vstoFile", softwareFileErrors.unsupported);
    return deployment;
  } catch (error) {
    throw error instanceof ManifestError ? createFileError("vstoFile", error.message) : error;
  }
}

/** Versions stated by the possible sources. Each is null if its source states none. */
interface VersionSources {
  readonly vsto: readonly number[] | null;
  /** Version in the installer's resources. */
  readonly program: readonly number[] | null;
  readonly installerName: string | null;
  /** Version entered by the admin. */
  readonly given: string | undefined;
}

const sourceNames = {
  "vsto-file": "the vsto file",
  "installation-file": "the installation file",
  "file-name": "the name of the installation file",
} as const;

/**
 * Returns the version stated by the files of an upload: the `.vsto`, else the installer's resources, else the
 * installer's name. If none of them states a version, the admin enters it, at the latest before publishing; a version
 * entered anyway must match the files (decision 0042).
 * @returns an empty version if there is none yet
 * @throws AppError BAD_USER_INPUT if the entered version differs from the files.
 */
function decideVersion({ vsto, program, installerName, given }: VersionSources): {
  version: string;
  source: VersionSource | null;
} {
  const [, versionInName = ""] = /(?:^|[^\d.])v?(\d+(?:\.\d+){1,3})\.exe$/i.exec(installerName ?? "") ?? [];
  const sources = [
    ["vsto-file", vsto],
    ["installation-file", program],
    ["file-name", parseVersion(versionInName)],
  ] as const;
  const [source, stated] = sources.find(([, parts]) => parts !== null) ?? [];
  if (!source || !stated) return given ? { version: given, source: "given" } : { version: "", source: null };
  const givenParts = given ? parseVersion(given) : null;
  if (givenParts && compareVersions(givenParts, stated) !== 0)
    throw badInput({ version: [`The version in ${sourceNames[source]} is ${formatVersion(stated)}, not ${given}.`] });
  return { version: formatVersion(stated), source };
}
