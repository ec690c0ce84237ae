/**
 * The files of an upload under their wire names: what people call them, how their names end, the bytes each may have at
 * most, and how many there may be (spec, admin §5 and §9).
 */
export const uploadLimits = {
  installationFile: { label: "Installation File", ending: ".exe", maxBytes: 25_600_000, maxCount: 1 },
  applicationFilesZipFile: { label: "Application Files Zip File", ending: ".zip", maxBytes: 62_914_560, maxCount: 1 },
  vstoFile: { label: "Vsto File", ending: ".vsto", maxBytes: 1_024_000, maxCount: 1 },
} as const;
/** One of {@link uploadLimits}. */
export type UploadedFile = keyof typeof uploadLimits;

/** The sentences about a file that is not taken (spec, admin §5). */
export const FILE_TYPE_UNSUPPORTED = "File type is not supported.";
export const FILE_TOO_LARGE = "File is too large.";

/** What is wrong with a file by its name and, where it is known, its size; null when nothing is. */
export function faultOfFile(which: UploadedFile, { name, size }: { name: string; size?: number }): string | null {
  const { ending, maxBytes } = uploadLimits[which];
  if (!name.toLowerCase().endsWith(ending)) return FILE_TYPE_UNSUPPORTED;
  return size !== undefined && size > maxBytes ? FILE_TOO_LARGE : null;
}

/** What the server says of an upload that went well, after the sentence of spec §8; the REST call's message too. */
export function wordsOfUpload(version: string, stageLabel: string): string {
  return `Version ${version} is kept for ${stageLabel}. Nobody is offered it before it is published.`;
}
