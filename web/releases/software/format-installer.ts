import { formatFileSize } from "#schema/numbers.ts";

/** Formats the version and size of an installer, such as '7.2.0, 18.4 MB'. */
export function formatInstaller({ version, sizeBytes }: { version: string; sizeBytes: number }): string {
  return `${version}, ${formatFileSize(sizeBytes)}`;
}
