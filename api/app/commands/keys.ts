import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { formatCount } from "#schema/numbers.ts";
import { parseJson } from "#schema/text.ts";
import { ConfigError, readKeySettings } from "#api/config.ts";
import { LONGEST_PROOF_LIFE_MS } from "#api/licensing/licences/licence-proof.ts";
import { LONGEST_MANIFEST_LIFE_MS, readManifest, signManifest } from "#api/releases/software/update-manifest.ts";
import { createClock, DAY, addMilliseconds } from "#api/platform/clock.ts";
import { AppError, describeError } from "#api/platform/errors.ts";
import { getKeyFile, type KeyRing, keySettings, writeKeyFile } from "#api/platform/keys/key-files.ts";
import {
  addKey,
  createKeySet,
  describeKeys,
  type KeySet,
  KeyRotationError,
  promoteKey,
  pruneKeys,
  readKeySet,
} from "#api/platform/keys/key-rotation.ts";
import { toReleaseKeys, type ReleaseKeys } from "#api/platform/keys/release-keys.ts";

/**
 * Time for which a retired key is kept: the longest lifetime of anything it signed, plus a day for processes that restart
 * late. Stored secrets are encrypted again within minutes.
 */
const keepMs: Readonly<Record<KeyRing, number>> = {
  signing: LONGEST_PROOF_LIFE_MS + DAY,
  encryption: DAY,
  release: LONGEST_MANIFEST_LIFE_MS + DAY,
};

/** Options of the commands of `server.js keys`. */
interface KeyOptions {
  readonly ring: KeyRing;
  readonly json?: true;
  readonly days?: number;
}

/**
 * Runs a command of `server.js keys`.
 * @param args operands of the command: the id of a key or the file of a manifest, and `-` for keys from a pipe
 * @throws AppError or ConfigError with a message for the operator
 */
export async function runKeys(command: string, args: readonly string[], options: KeyOptions): Promise<void> {
  const { ring, json = false, days } = options;
  const isPiped = command !== "sign" && args.at(-1) === "-";
  const [name] = isPiped ? args.slice(0, -1) : args;
  try {
    if (command === "new") return void process.stdout.write(`${JSON.stringify(createKeySet(ring))}\n`);
    const source = findSource(ring, isPiped);
    const before = readKeySet(source.json, ring);
    if (command === "public" || command === "sign") {
      if (ring !== "release") throw refuse(`keys ${command} needs --ring release.`);
      const keys = toReleaseKeys(before.keys);
      const text = command === "public" ? JSON.stringify(keys.jwks()) : signManifestFile(keys, name, days);
      return void process.stdout.write(`${text}\n`);
    }
    const after = await applyCommand(before, { command, kid: name, ring });
    if (after !== before && source.file) {
      writeKeyFile(source.file, JSON.stringify(after, null, 2));
      await recordChange(`keys-${command}`);
    }
    report({ command, ring, before, after, isStored: source.file !== null, asJson: json });
  } catch (error) {
    throw error instanceof KeyRotationError ? refuse(error.message) : error;
  }
}

const refuse = (message: string) => new AppError("BAD_USER_INPUT", { message });

/** Finds the set of keys. `file` is null if the set comes from a pipe or a setting, which this command can't change. */
function findSource(ring: KeyRing, isPiped: boolean): { json: string; file: string | null } {
  const { keys, dataDir } = readKeySettings();
  const given = isPiped ? readFileSync(0, "utf8").trim() : keys[ring];
  if (given) return { json: given, file: null };
  const file = getKeyFile(dataDir, ring);
  if (existsSync(file)) return { json: readFileSync(file, "utf8"), file };
  throw new ConfigError([
    `There are no ${ring} keys yet: ${keySettings[ring]} isn't set, and ${file} doesn't exist. Create them with: keys new --ring ${ring}.`,
  ]);
}

async function applyCommand(
  set: KeySet,
  { command, kid, ring }: { command: string; kid: string | undefined; ring: KeyRing },
): Promise<KeySet> {
  const now = createClock().now();
  if (command === "list") return set;
  if (command === "add") return addKey(set, ring);
  if (command === "promote") return promoteKey(set, now, kid);
  const pruned = pruneKeys(set, now, keepMs[ring], kid);
  const removed = set.keys.filter((key) => !pruned.keys.includes(key));
  if (removed.length === 0) return set;
  if (ring !== "release") for (const key of removed) await refuseUsedKey(ring, key.kid);
  return pruned;
}

/** Returns whether this machine has a database. It has none if the keys are managed elsewhere. */
function hasDatabase(): boolean {
  const { databaseUrl, dataDir } = readKeySettings();
  return databaseUrl !== null || existsSync(join(dataDir, "postgres"));
}

/**
 * Records the security event of a changed key, if this machine has a database. Otherwise the next process that starts with
 * the new keys records it.
 */
async function recordChange(name: string): Promise<void> {
  if (!hasDatabase()) return;
  // Loads the entities, which the other commands don't need.
  const { recordKeyEvents } = await import("./record-key-events.ts");
  await recordKeyEvents(name).catch((error: unknown) => {
    process.stderr.write(`The security event will be recorded when a server starts: ${describeError(error)}\n`);
  });
}

/** Refuses to remove a key that decrypts stored secrets. */
async function refuseUsedKey(ring: "signing" | "encryption", kid: string): Promise<void> {
  if (!hasDatabase()) return;
  // Loads the entities, which the other commands don't need.
  const { findSecretCount } = await import("./count-secrets.ts");
  const count = await findSecretCount(ring, kid);
  if (count > 0)
    throw new KeyRotationError(
      `${kid} still encrypts ${formatCount(count, "stored secret")}. A running server encrypts them again within 10 minutes. Try again then.`,
    );
}

/** Prints the keys, and the set for the setting if it couldn't be stored, also if `prune` found no key to remove. */
function report(given: {
  command: string;
  ring: KeyRing;
  before: KeySet;
  after: KeySet;
  isStored: boolean;
  asJson: boolean;
}): void {
  const { command, ring, before, after, isStored, asJson } = given;
  const isList = command === "list";
  const isChanged = after !== before;
  const keys = describeKeys(after, keepMs[ring], ring);
  const set = isList || isStored ? {} : { set: after };
  if (asJson) process.stdout.write(`${JSON.stringify({ ring, changed: isChanged, keys, ...set }, null, 2)}\n`);
  else {
    // Standard output of a rotation contains only the set.
    const out = isList ? process.stdout : process.stderr;
    if (set.set) process.stdout.write(`${JSON.stringify(set.set)}\n`);
    for (const { kid, state, neededUntil } of keys)
      out.write(`${kid}  ${state}${neededUntil ? `, needed until ${neededUntil.toISOString()}` : ""}\n`);
  }
  if (isChanged) process.stderr.write("Restart every process so that all of them use the new keys.\n");
  else if (!isList) process.stderr.write("No key can be removed yet, so nothing was changed.\n");
}

const DEFAULT_DAYS = 30;

/**
 * Signs the manifest in a file, as shown by Manage Software, and returns the signature to paste there.
 * @param file path of the file; `-` for standard input
 * @param days days until the signature expires
 * @throws AppError if the manifest is malformed, or the first key has no private part
 */
function signManifestFile(keys: ReleaseKeys, file: string | undefined, days = DEFAULT_DAYS): string {
  const maxDays = LONGEST_MANIFEST_LIFE_MS / DAY;
  if (days > maxDays) throw refuse(`--days must be a whole number from 1 to ${maxDays}.`);
  if (!file) throw refuse("Name the file with the manifest, or - to read it from a pipe.");
  if (!keys.signer) throw refuse("The first release key has no private part. Sign where the private keys are kept.");
  const manifest = readManifest(parseJson(readFileSync(file === "-" ? 0 : file, "utf8").trim()));
  if (!manifest)
    throw refuse(
      'This isn\'t a manifest: {"version": …, "url": …, "sha256": …, "stage": …, "sequence": …}. Copy it from Manage Software.',
    );
  const now = createClock().now();
  return signManifest(keys.signer, manifest, { issuedAt: now, expiresAt: addMilliseconds(now, days * DAY) });
}
