import { softwareFileErrors, type SoftwareFileField, softwareFiles } from "#schema/software-upload.ts";
import { formatNumber } from "#schema/numbers.ts";
import { AppError, badInput } from "#api/platform/errors.ts";

/** Size limits of a whole upload (docs/domain.md#bodies). */
export const uploadLimits = { multipartBytes: 90_000_000, base64Bytes: 120_000_000, files: 3 } as const;

/** Creates a BAD_USER_INPUT error about one of the files. */
export function createFileError(field: SoftwareFileField, sentence: string): AppError {
  return badInput({ [field]: [sentence] });
}

/** Creates a PAYLOAD_TOO_LARGE error that names the file. */
export function createLargeFileError(field: SoftwareFileField): AppError {
  const { label, maxBytes } = softwareFiles[field];
  return new AppError("PAYLOAD_TOO_LARGE", {
    message: `${softwareFileErrors.tooLarge} The ${label} may have at most ${formatNumber(maxBytes)} bytes.`,
    fields: { [field]: [softwareFileErrors.tooLarge] },
  });
}

/** Creates a PAYLOAD_TOO_LARGE error for too many files. */
export function createManyFilesError(): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", { message: `An upload may contain at most ${uploadLimits.files} files.` });
}

/** Creates a BAD_USER_INPUT error for an incomplete file. */
export function createIncompleteFileError(field: SoftwareFileField): AppError {
  return createFileError(field, "The file is incomplete. Upload it again.");
}

const fullDisk = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Returns an AppError if a write failed because the disk is full, and otherwise the error unchanged. */
export function translateFullDisk(error: unknown): unknown {
  for (let one = error as { code?: string; cause?: unknown } | undefined, depth = 0; one && depth < 5; depth++) {
    if (one.code && fullDisk.has(one.code))
      return new AppError("UNAVAILABLE", {
        message: "The server's disk is full, so nothing was uploaded. Contact the operator of the server.",
      });
    one = one.cause as typeof one;
  }
  return error;
}

/** Quotes a file name from an upload for use in a message: replaces invisible characters and shortens it. */
export function quoteName(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return `“${plain.length > 120 ? `${plain.slice(0, 120)}…` : plain}”`;
}
