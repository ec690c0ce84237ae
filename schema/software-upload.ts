import { type SoftwareFileField, softwareFileSentences, softwareFiles } from "./software-files.ts";

/** What is wrong with a file by its name and size in bytes; null when nothing is (spec, admin §5). */
export function faultOfFile(field: SoftwareFileField, { name, size }: { name: string; size: number }): string | null {
  const { extension, maxBytes } = softwareFiles[field];
  if (!name.toLowerCase().endsWith(extension)) return softwareFileSentences.unsupported;
  return size > maxBytes ? softwareFileSentences.tooLarge : null;
}

/** What the REST call answers to an upload that went well, and the portal says after the sentence of spec §8. */
export function wordsOfUpload(version: string, stageLabel: string): string {
  return `Version ${version} has been uploaded to ${stageLabel}. Publish it when it is ready.`;
}
