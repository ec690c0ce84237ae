import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { loadEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import type { LastLink } from "#api/audit/chain/seal-entries.ts";
import { AppError, unprocessable } from "#api/platform/errors.ts";
import type { Config } from "#api/platform/config.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";

/** Format of a backup. A restore accepts only its own. */
export const BACKUP_FORMAT = 1;

/** A file of a backup. `name` is relative to the backup's folder. */
export interface BackupFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A table of a backup. `monthOf` is set for a detached month, whose table a migration doesn't create. */
export interface BackupTable extends BackupFile {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly monthOf: string | null;
}

/** Contents of a backup, stored in it as `manifest.json`. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  readonly postgres: string;
  readonly migrations: readonly string[];
  /** Key IDs that the restored product needs. Backups contain no keys. */
  readonly keys: { readonly signing: readonly string[]; readonly encryption: readonly string[] };
  readonly tables: readonly BackupTable[];
  /** Last link of the audit log in the backup, for `audit verify --since`. Missing in backups of earlier versions. */
  readonly auditLink?: LastLink | null;
  readonly sequences: readonly { readonly name: string; readonly last: string; readonly isUsed: boolean }[];
  readonly partitions: readonly { readonly name: string; readonly bound: string }[];
  /** Stored files, in the folder `files` under their key. */
  readonly files: readonly BackupFile[];
}

/** Returns the IDs of the keys of this process. */
export function getKeyIds(config: Config): Manifest["keys"] {
  const signing = loadSigningKeys(config);
  return {
    signing: signing.jwks().keys.map(({ kid }) => kid),
    encryption: loadEncryptionKeys(config, signing).all.map(({ kid }) => kid),
  };
}

/**
 * Reads the manifest of a backup.
 * @throws AppError NOT_FOUND if the folder has none; UNPROCESSABLE if its format is unknown
 */
export function readManifest(folder: string): Manifest {
  const file = join(folder, "manifest.json");
  if (!existsSync(file)) throw new AppError("NOT_FOUND", { message: `${folder} contains no backup.` });
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  if (manifest.format === BACKUP_FORMAT) return manifest;
  throw unprocessable(`The backup has format ${manifest.format}; this release reads ${BACKUP_FORMAT}.`);
}

/**
 * Compares every file of a backup with its checksum.
 * @throws AppError UNPROCESSABLE naming the first file that is missing or different
 */
export async function verifyFiles(folder: string, { tables, files }: Manifest): Promise<void> {
  for (const { name, sizeBytes, sha256 } of [...tables, ...files]) {
    const path = join(folder, name);
    const isWhole = existsSync(path) && statSync(path).size === sizeBytes && (await hashFile(path)) === sha256;
    if (!isWhole) throw unprocessable(`The backup is damaged: ${name} is missing or different.`);
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
