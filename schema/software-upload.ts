import { type SoftwareFileField, softwareFileSentences, softwareFiles } from "./software-files.ts";

/** Returns what is wrong with a file by its name and size in bytes; null when nothing is. */
export function faultOfFile(field: SoftwareFileField, { name, size }: { name: string; size: number }): string | null {
  const { extension, maxBytes } = softwareFiles[field];
  if (!name.toLowerCase().endsWith(extension)) return softwareFileSentences.unsupported;
  return size > maxBytes ? softwareFileSentences.tooLarge : null;
}

/** Where the version of a build was read, and how the portal says it. */
export const versionSources = {
  "vsto-file": "read from the vsto file",
  "installation-file": "read from the installation file",
  "file-name": "read from the name of the installation file",
  given: "given by the person who uploaded it",
} as const;

/** One of {@link versionSources}. */
export type VersionSource = keyof typeof versionSources;

/** Where a version was read, in words; null for builds uploaded before this was recorded. */
export function wordsOfVersionSource(source: string | null): string | null {
  return source !== null && source in versionSources ? versionSources[source as VersionSource] : null;
}

/** Refuses an upload whose version nobody stated. */
export const versionRequired = "The files don't state a version. Enter one, such as 7.2.0.";

/** Returns the answer to a successful upload, which the portal shows after its own sentence. */
export function wordsOfUpload(version: string, stageLabel: string): string {
  return `Version ${version} has been uploaded to ${stageLabel}. Publish it when it is ready.`;
}
