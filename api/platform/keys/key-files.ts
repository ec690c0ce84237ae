import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomUUID } from "node:crypto";
import { makeFolder } from "#api/platform/files/make-folder.ts";

/** The product's separate sets of keys: tokens and proofs, stored secrets, update manifests (decision 0025). */
export const keyRings = ["signing", "encryption", "release"] as const;

export type KeyRing = (typeof keyRings)[number];

/** Setting with the keys of each ring. */
export const keySettings = {
  signing: "SIGNING_KEYS",
  encryption: "ENCRYPTION_KEYS",
  release: "RELEASE_KEYS",
} as const satisfies Record<KeyRing, string>;

/** Returns the path of the file with the generated keys of a ring. */
export function getKeyFile(dataDir: string, ring: KeyRing): string {
  return join(dataDir, `${ring}-keys.json`);
}

/** Writes keys to a temporary file and renames it, so a killed process or a power cut never leaves an incomplete file. */
export function writeKeyFile(file: string, json: string): void {
  renameSync(writePart(file, json), file);
}

/**
 * Reads the keys of a file. Generates them first if the file doesn't exist (mode 0600). If several processes start
 * concurrently, all use the same keys.
 */
export function readOrGenerateKeys(file: string, generate: () => object): string {
  if (!existsSync(file)) {
    const part = writePart(file, JSON.stringify({ keys: [generate()] }, null, 2));
    try {
      linkSync(part, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(part, { force: true });
    }
  }
  return readFileSync(file, "utf8");
}

function writePart(file: string, json: string): string {
  const part = `${file}.${randomUUID()}.part`;
  makeFolder(dirname(file));
  writeFileSync(part, json, { mode: 0o600, flush: true });
  return part;
}
