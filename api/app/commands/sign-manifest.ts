import { readFileSync } from "node:fs";
import { addMilliseconds, createClock, DAY } from "#api/platform/clock.ts";
import { AppError } from "#api/platform/errors.ts";
import type { ReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { LONGEST_MANIFEST_LIFE_MS, readManifest, signManifest } from "#api/releases/software/update-manifest.ts";

const DEFAULT_DAYS = 30;

/**
 * Signs the manifest in a file, as shown by Manage Software, and returns the signature to paste there.
 * @param file path of the file; `-` for standard input
 * @param days days until the signature expires
 * @throws AppError if the manifest is malformed, or the first key has no private part
 */
export function signManifestFile(keys: ReleaseKeys, file: string | undefined, days: string | undefined): string {
  const maxDays = LONGEST_MANIFEST_LIFE_MS / DAY;
  const validDays = Number(days ?? DEFAULT_DAYS);
  if (!Number.isInteger(validDays) || validDays < 1 || validDays > maxDays)
    throw refuse(`--days must be a whole number from 1 to ${maxDays}.`);
  if (!file) throw refuse("Name the file with the manifest, or - to read it from a pipe.");
  if (!keys.signer) throw refuse("The first release key has no private part. Sign where the private keys are kept.");
  const manifest = readManifest(parseJson(readFileSync(file === "-" ? 0 : file, "utf8")));
  if (!manifest)
    throw refuse(
      'This isn\'t a manifest: {"version": …, "url": …, "sha256": …, "stage": …, "sequence": …}. Copy it from Manage Software.',
    );
  const now = createClock().now();
  return signManifest(keys.signer, manifest, { issuedAt: now, expiresAt: addMilliseconds(now, validDays * DAY) });
}

const refuse = (message: string) => new AppError("BAD_USER_INPUT", { message });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
