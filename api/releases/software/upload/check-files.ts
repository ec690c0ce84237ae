import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { softwareFileErrors, type SoftwareFileField, softwareFileFields, softwareFiles, type VersionSource } from "#schema/software-upload.ts";
import { badInput } from "#api/platform/errors.ts";
import { type DeploymentManifest, ManifestError, parseDeploymentManifest } from "./manifests.ts";
import { createFileError } from "./upload-errors.ts";
import type { SpooledFile, SpooledFiles } from "./spool.ts";
import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";

/** The files of a build whose types have been checked. */
export interface CheckedFiles {
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
export async function checkFiles(files: SpooledFiles): Promise<CheckedFiles> {
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

interface DecidedVersion {
  /** Empty if there is none yet. */
  readonly version: string;
  readonly source: VersionSource | null;
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
 * @throws AppError BAD_USER_INPUT if the entered version differs from the files.
 */
export function decideVersion({ vsto, program, installerName, given }: VersionSources): DecidedVersion {
  const [, versionInName] = /(?:^|[^\d.])v?(\d+(?:\.\d+){1,3})\.exe$/i.exec(installerName ?? "") ?? [];
  const stated = vsto ?? program ?? (versionInName ? parseVersion(versionInName) : null);
  if (!stated) {
    return given ? { version: given, source: "given" } : { version: "", source: null };
  }
  const source = vsto ? "vsto-file" : program ? "installation-file" : "file-name";
  const givenParts = given ? parseVersion(given) : null;
  if (givenParts && compareVersions(givenParts, stated) !== 0)
    throw badInput({ version: [`The version in ${sourceNames[source]} is ${formatVersion(stated)}, not ${given}.`] });
  return { version: formatVersion(stated), source };
}
