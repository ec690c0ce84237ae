import { defineList, findEntry, type ValueOf } from "./closed-list.ts";
import { type SoftwareFileField, softwareFileErrors, softwareFiles } from "./software-files.ts";

/** Returns the error message for a file's name or size in bytes, or null if both are fine. */
export function findFileError(field: SoftwareFileField, { name, size }: { name: string; size: number }): string | null {
  const { extension, maxBytes } = softwareFiles[field];
  if (!name.toLowerCase().endsWith(extension)) return softwareFileErrors.unsupported;
  return size > maxBytes ? softwareFileErrors.tooLarge : null;
}

/** Sources of a build's version, with their labels. */
export const versionSources = defineList("VersionSource", "Where the version of a build was read.", [
  { code: "VSTO_FILE", value: "vsto-file", label: "read from the vsto file", description: "The .vsto file." },
  {
    code: "INSTALLATION_FILE",
    value: "installation-file",
    label: "read from the installation file",
    description: "The installer.",
  },
  {
    code: "FILE_NAME",
    value: "file-name",
    label: "read from the name of the installation file",
    description: "The name of the installer.",
  },
  {
    code: "GIVEN",
    value: "given",
    label: "entered by the admin who uploaded it",
    description: "Entered by the admin who uploaded the build.",
  },
] as const);
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
