import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { getKeyFile, type KeyRing } from "#api/platform/keys/key-files.ts";
import { createKeySet, type KeySet } from "#api/platform/keys/key-rotation.ts";
import { toReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { generateSigningJwk, loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { verifyManifest } from "#api/releases/software/update-manifest.ts";
import { buildPrograms } from "#tests/support/programs.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const server = join(await buildPrograms(), "server.js");
const dataDir = createTemporaryFolder("portal-keys-");
const keys = (words: string, options: { env?: Record<string, string>; input?: string } = {}) =>
  execFileSync(process.execPath, [server, "keys", ...words.split(" ").filter(Boolean)], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, ...options.env },
    input: options.input ?? "",
    stdio: ["pipe", "pipe", "pipe"],
    encoding: "utf8",
  });
const stored = (ring: KeyRing = "signing") => JSON.parse(readFileSync(getKeyFile(dataDir, ring), "utf8")) as KeySet;
const first: KeySet = { keys: [generateSigningJwk()] };

describe("the command keys", { timeout: 120_000 }, () => {
  test("updates the generated file and keeps it readable only by its owner", () => {
    loadSigningKeys({ dataDir, signingKeys: null });
    keys("add");
    const [old, fresh] = stored().keys;
    keys("promote");
    expect(stored().keys.map((key) => key.kid)).toEqual([fresh?.kid, old?.kid]);
    expect(keys("prune --json")).toContain('"changed": false');
    expect(stored().keys).toHaveLength(2);
    expect(() => keys(`prune ${old?.kid}`)).toThrow("is needed until");
    expect(statSync(getKeyFile(dataDir, "signing")).mode & 0o777).toBe(0o600);
    expect(keys("list")).toMatch(/ {2}signs\n.* {2}retired, needed until/);
  });

  test("prints only the new set if keys come from a setting or a pipe", () => {
    const given = JSON.stringify(first);
    for (const printed of [keys("add", { env: { SIGNING_KEYS: given } }), keys("add -", { input: given })]) {
      const set = JSON.parse(printed) as KeySet;
      expect(set.keys).toHaveLength(2);
      expect(set.keys[0]).toEqual(first.keys[0]);
    }
    // A script stores what each step prints.
    expect(keys("prune", { env: { SIGNING_KEYS: given } })).toBe(`${given}\n`);
  });

  test("rotates the encryption ring separately and reports it as JSON", () => {
    const set = keys("new --ring encryption");
    const added = JSON.parse(keys("add --ring encryption --json", { env: { ENCRYPTION_KEYS: set } }));
    expect(added).toMatchObject({ ring: "encryption", changed: true });
    expect(added.keys.map((key: { state: string }) => key.state)).toEqual(["encrypts", "waits"]);
    expect(added.set.keys[0]).toEqual(JSON.parse(set).keys[0]);
  });

  test("signs a manifest with a release key whose public part is enough for the server", () => {
    const set = JSON.stringify(createKeySet("release"));
    const manifest = {
      version: "7.2.0",
      url: "https://portal.test/a.exe",
      sha256: "a".repeat(64),
      stage: 4,
      sequence: 3,
    };
    const options = { env: { RELEASE_KEYS: set }, input: JSON.stringify(manifest) };
    const published = JSON.parse(keys("public --ring release", options));
    expect(JSON.stringify(published)).not.toContain('"d"');
    const proof = keys("sign - --ring release --days 3", options).trim();
    expect(verifyManifest(toReleaseKeys(published.keys), proof, new Date())).toMatchObject(manifest);
    expect(() => keys("sign - --ring release", { ...options, input: "{}" })).toThrow("This isn't a manifest");
    expect(() => keys("sign - --ring release --days 91", options)).toThrow("from 1 to 90");
    expect(() => keys("sign - --ring release --days 1e1", options)).toThrow("a whole number");
    const withoutPrivate = { ...options, env: { RELEASE_KEYS: JSON.stringify(published) } };
    expect(() => keys("sign - --ring release", withoutPrivate)).toThrow("has no private part");
  });

  test("explains what is missing", () => {
    expect(() => keys("list --ring release")).toThrow("Create them with: keys new --ring release.");
    expect(() => keys("list --ring gold")).toThrow("Allowed choices are signing, encryption, release.");
    expect(() => keys("shred")).toThrow("Unknown command 'shred'");
    expect(() => keys("list --ring encryption", { env: { ENCRYPTION_KEYS: JSON.stringify(first) } })).toThrow(
      "must be a JWK set of AES-256 keys",
    );
    expect(keys("--help")).toContain("promote [options] [kid] [pipe]");
  });
});
