import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settings } from "#api/app/settings.ts";
import { createKeySet } from "#api/platform/keys/key-rotation.ts";

/** Reads a file of `deploy/`. */
export const read = (file: string) => readFileSync(join("deploy", file), "utf8");

/** Names of all settings. */
export const names = new Set<string>([...settings.map(({ name }) => name), "NODE_EXTRA_CA_CERTS"]);

/** Key sets as an operator creates them. */
export const keys = {
  SIGNING_KEYS: JSON.stringify(createKeySet("signing")),
  ENCRYPTION_KEYS: JSON.stringify(createKeySet("encryption")),
  RELEASE_KEYS: JSON.stringify(createKeySet("release")),
};
