import { fileSize } from "#schema/numbers.ts";

/** Version and size of an installer in a few words, such as '7.2.0, 18.4 MB'. */
export function factsOfInstaller({ version, sizeBytes }: { version: string; sizeBytes: number }): string {
  return `${version}, ${fileSize(sizeBytes)}`;
}
