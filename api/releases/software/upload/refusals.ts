import { type SoftwareFileField, softwareFiles, softwareFileSentences } from "#schema/software-files.ts";
import { AppError, badInput } from "#api/platform/errors.ts";

/** Bytes that one upload may have in all (docs/domain.md#bodies). */
export const uploadLimits = { multipartBytes: 90_000_000, base64Bytes: 120_000_000, files: 3 } as const;

/** BAD_USER_INPUT with a sentence about one of the files. */
export function refuseFile(field: SoftwareFileField, sentence: string): AppError {
  return badInput({ [field]: [sentence] });
}

/** PAYLOAD_TOO_LARGE that names the file. */
export function refuseLargeFile(field: SoftwareFileField): AppError {
  const { label, maxBytes } = softwareFiles[field];
  return new AppError("PAYLOAD_TOO_LARGE", {
    message: `${softwareFileSentences.tooLarge} The ${label} may have at most ${maxBytes.toLocaleString("en-AU")} bytes.`,
    fields: { [field]: [softwareFileSentences.tooLarge] },
  });
}

/** PAYLOAD_TOO_LARGE for more files than a build has. */
export function refuseManyFiles(): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", { message: `At most ${uploadLimits.files} files can be uploaded at once.` });
}

/** BAD_USER_INPUT for a file whose sender went away or lost count. */
export function refusePart(field: SoftwareFileField): AppError {
  return refuseFile(field, "The file did not arrive whole. Please upload it again.");
}

const fullDisk = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/**
 * What an error while files are written means to the caller: a full disk is said in words, all else stays as it is. Nothing
 * is kept of an upload that met one.
 */
export function sayWhenDiskIsFull(error: unknown): unknown {
  for (let one = error as { code?: string; cause?: unknown } | undefined, depth = 0; one && depth < 5; depth++) {
    if (one.code && fullDisk.has(one.code))
      return new AppError("UNAVAILABLE", {
        message: "There is no room left for files on the server. Nothing was uploaded. Please tell the operator.",
      });
    one = one.cause as typeof one;
  }
  return error;
}

/** A name from outside as it may stand in a sentence. */
export function shown(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return `“${plain.length > 120 ? `${plain.slice(0, 120)}…` : plain}”`;
}
