import { type InferType, mixed } from "yup";
import { defineList, findEntry, type ValueOf } from "./closed-list.ts";
import { uploadSoftwareRules } from "./software.ts";

/** Kinds of the files of a build, other than its installer. */
export const softwareFileKinds = defineList("SoftwareFileKind", "The kind of a file of a build.", {
  DEPLOYMENT_MANIFEST: ["deployment-manifest", "Deployment manifest", "The .vsto file that ClickOnce requests first."],
  APPLICATION_FILE: ["application-file", "Application file", "A file that ClickOnce then installs."],
});
export type SoftwareFileKind = ValueOf<typeof softwareFileKinds>;

/** Files of an upload, by their field in forms and API calls (docs/domain.md#software). */
export const softwareFiles = {
  installationFile: { label: "installation file", extension: ".exe", maxBytes: 25_600_000 },
  applicationFilesZipFile: { label: "application files zip", extension: ".zip", maxBytes: 62_914_560 },
  vstoFile: { label: "vsto file", extension: ".vsto", maxBytes: 1_024_000 },
} as const;

export type SoftwareFileField = keyof typeof softwareFiles;

/** Fields in the order in which the form shows them. */
export const softwareFileFields = Object.keys(softwareFiles) as SoftwareFileField[];

export const softwareFileErrors = {
  required: "Installation file is required.",
  unsupported: "File type is not supported.",
  tooLarge: "File is too large.",
  needsVsto: "The vsto file is required with the application files.",
  needsZip: "The application files are required with the vsto file.",
} as const;

/** Returns the error message for a file's name or size in bytes, or null if both are fine. */
export function findFileError(field: SoftwareFileField, { name, size }: { name: string; size: number }): string | null {
  const { extension, maxBytes } = softwareFiles[field];
  if (!name.toLowerCase().endsWith(extension)) return softwareFileErrors.unsupported;
  return size > maxBytes ? softwareFileErrors.tooLarge : null;
}

/** Sources of a build's version, with their labels. */
export const versionSources = defineList("VersionSource", "Where the version of a build was read.", {
  VSTO_FILE: ["vsto-file", "read from the vsto file", "The .vsto file."],
  INSTALLATION_FILE: ["installation-file", "read from the installation file", "The installer."],
  FILE_NAME: ["file-name", "read from the name of the installation file", "The name of the installer."],
  GIVEN: ["given", "entered by an admin", "Entered by an admin."],
});
export type VersionSource = ValueOf<typeof versionSources>;

/** Returns the label of a version source, or null if the source is unknown. */
export function describeVersionSource(source: string | null): string | null {
  return findEntry(versionSources, source)?.label ?? null;
}

/** Error message for publishing a build whose version is neither given nor in the files. */
export const versionRequiredError = "The files don't state a version. Enter one, such as 7.2.0.";

/** Formats the version of a build, which a draft may lack. */
export function formatBuildVersion(version: string): string {
  return version || "without a version";
}

/** Returns the message for a successful upload, which the portal shows after its own sentence. */
export function formatUploadMessage(version: string, stageLabel: string): string {
  return version
    ? `Version ${version} has been uploaded to ${stageLabel}. Publish it when it is ready.`
    : `The build has been uploaded to ${stageLabel} as a draft. Its files don't state a version: enter one before you publish it.`;
}

/** The Authenticode signature of a Windows installer, as found when the build was uploaded. */
export type InstallerSignature =
  | { readonly state: "unsigned" }
  | {
      readonly state: "broken";
      /** Sentence that says what is wrong. */
      readonly problem: string;
    }
  | {
      readonly state: "signed";
      /** Organisation of the signer's certificate, or its common name. */
      readonly signer: string;
      /** SHA-256 fingerprints in hex: the signer's certificate, then the authorities above it. */
      readonly certificates: readonly string[];
      /** Time until which the signer's certificate is valid, in ISO 8601. */
      readonly validUntil: string;
      /** Time of the upload in ISO 8601, in a copy of a build. */
      readonly uploadedAt?: string;
    };

/** The publisher whose signature every published build needs. */
export interface Publisher {
  /** Organisation or common name of the certificate. */
  readonly name: string;
  /** SHA-256 fingerprints in hex of its certificate, or of an authority above it. One of them must match. */
  readonly certificates: readonly string[];
}

const file = (field: SoftwareFileField) =>
  mixed<File>()
    .nullable()
    .test("file", (given, { createError }) => {
      const problem = given ? findFileError(field, given) : null;
      return problem === null || createError({ message: problem });
    });

/** Rules for the upload form. Only the installer is required; the zip and the `.vsto` file must come together. */
export const uploadFormRules = uploadSoftwareRules.shape({
  installationFile: file("installationFile").required(softwareFileErrors.required),
  applicationFilesZipFile: file("applicationFilesZipFile").test(
    "together",
    softwareFileErrors.needsZip,
    (zip, { parent }: { parent: { vstoFile?: unknown } }) => Boolean(zip) || !parent.vstoFile,
  ),
  vstoFile: file("vstoFile").test(
    "together",
    softwareFileErrors.needsVsto,
    (vsto, { parent }: { parent: { applicationFilesZipFile?: unknown } }) =>
      Boolean(vsto) || !parent.applicationFilesZipFile,
  ),
});
export type UploadFormValues = InferType<typeof uploadFormRules>;
