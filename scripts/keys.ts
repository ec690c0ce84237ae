/**
 * Lists and rotates the signing keys (docs/operations.md): `npm run keys -- list|add|promote [kid]|prune [kid]`. If
 * `SIGNING_KEYS` is set, or with `-` and a key set from a pipe, it prints the new set; otherwise it changes the
 * generated file.
 */
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { readKeySettings } from "#api/config.ts";
import { LONGEST_PROOF_LIFE_MS } from "../api/licensing/licences/licence-proof.ts";
import { DAY } from "#api/platform/clock.ts";
import {
  addKey,
  describeKeys,
  type KeySet,
  KeyRotationError,
  promoteKey,
  pruneKeys,
  readKeySet,
} from "#api/platform/key-rotation.ts";
import { getSigningKeysFile, writeSigningKeys } from "#api/platform/signing-keys.ts";

/**
 * Time for which a retired key is kept: the longest lifetime of anything it signed, plus a day for processes that
 * restart late.
 */
const KEEP_MS = LONGEST_PROOF_LIFE_MS + DAY;

const usage =
  "npm run keys -- list | add | promote [kid] | prune [kid], and `-` at the end to read the set from a pipe";

function run(): void {
  const words = process.argv.slice(2);
  const isPiped = words.at(-1) === "-";
  const [command = "list", kid] = isPiped ? words.slice(0, -1) : words;
  const { signingKeys, dataDir } = readKeySettings();
  const given = isPiped ? readFileSync(0, "utf8") : signingKeys;
  const file = getSigningKeysFile(dataDir);
  if (!given && !existsSync(file))
    throw new KeyRotationError(`There are no keys yet: SIGNING_KEYS is not set, and ${file} does not exist.`);
  const before = readKeySet(given || readFileSync(file, "utf8"));
  const set = applyCommand(before, command, kid);
  if (set !== before && given) process.stdout.write(`${JSON.stringify(set)}\n`);
  if (set !== before && !given) writeSigningKeys(file, JSON.stringify(set, null, 2));
  printKeys(set);
  if (set !== before) process.stderr.write("Restart every process so that all of them use the new keys.\n");
}

function applyCommand(set: KeySet, command: string, kid: string | undefined): KeySet {
  const now = new Date();
  if (command === "list") return set;
  if (command === "add") return addKey(set);
  if (command === "promote") return promoteKey(set, now, kid);
  if (command !== "prune") throw new KeyRotationError(usage);
  const pruned = pruneKeys(set, now, KEEP_MS, kid);
  return pruned.keys.length === set.keys.length ? set : pruned;
}

/** Prints the keys to standard error, because standard output contains only the new set. */
function printKeys(set: KeySet): void {
  for (const { kid, state, neededUntil } of describeKeys(set, KEEP_MS))
    process.stderr.write(`${kid}  ${state}${neededUntil ? `, needed until ${neededUntil.toISOString()}` : ""}\n`);
}

try {
  run();
} catch (error) {
  if (!(error instanceof KeyRotationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
