import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import {
  softwareFileErrors,
  type SoftwareFileField,
  softwareFileFields,
  softwareFiles,
} from "#schema/software-upload.ts";
import { badInput } from "#api/platform/errors.ts";
import { type DeploymentManifest, ManifestError, parseDeploymentManifest } from "./manifests.ts";
import { createFileError } from "./upload-errors.ts";
import type { SpooledFile, SpooledFiles } from "./spool.ts";

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
