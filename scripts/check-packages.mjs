/** Fails if a lock file is incomplete, or if the licence of one of its packages isn't in the list of allowed licences. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listFiles } from "./changed-files.mjs";
import { root } from "./runtime.mjs";

/**
 * Licences of packages that a closed-source product may use and ship. MPL-2.0 applies to single files, and we don't
 * change any of those files. LGPL-3.0-or-later is the licence of libvips, which only `npm run pictures` uses and nobody ships.
 */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC-BY-3.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MIT License",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "WTFPL",
]);

/** Packages with an MIT licence that they state in an old format or only in a file, which lock files leave out. */
const mit = new Set(["busboy", "dicer", "format", "humanize-number", "only", "png-js", "streamsearch"]);

/** Returns a sentence for each package of a lock file whose licence isn't allowed. */
export function findRefused({ packages }) {
  return Object.entries(packages).flatMap(([path, { license }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (path === "" || (license ? isAllowed(license) : mit.has(name))) return [];
    return [`${name} has the licence ${license ?? "(none)"}`];
  });
}

/** Evaluates an SPDX expression: an AND needs all its parts to be allowed, an OR any one of them. */
function isAllowed(expression) {
  const inner = expression.replace(/^\((.*)\)$/, "$1");
  return inner.split(" AND ").every((part) => part.split(" OR ").some((one) => allowed.has(one.replace(/[()]/g, ""))));
}

/** Returns the lock files by folder: one in the root, and one in each other folder with a manifest. */
export function readLocks() {
  return Object.fromEntries(
    listFiles()
      .filter((file) => basename(file) === "package-lock.json")
      .map((file) => [dirname(file), JSON.parse(readFileSync(join(root, file), "utf8"))]),
  );
}

/**
 * Returns the packages that a lock file lacks or can't verify, on any platform. `npm ci` refuses a lock file without the
 * packages of other platforms.
 */
export function findGaps({ packages }) {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const needed = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies };
    const gaps = Object.keys(needed).filter((name) => !isLocked(packages, path, name));
    if (path !== "" && !entry.integrity && !entry.inBundle) gaps.push("its checksum");
    return gaps.map((gap) => `${path || "package.json"} lacks ${gap}`);
  });
}

/** Looks a package up as Node does: in the folder of the package that needs it, then in the folders above. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    if (packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === "") return false;
  }
}

if (process.argv[1] === import.meta.filename) {
  const faults = Object.entries(readLocks()).flatMap(([folder, lock]) =>
    [...findGaps(lock), ...findRefused(lock)].map((fault) => `${folder}/package-lock.json: ${fault}`),
  );
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (faults.length > 0) {
    process.stdout.write(
      "Where a package is missing, write the lock file again with: npm install --package-lock-only. Where a licence is not in the list of this script, choose another package, or add the licence with a reason.\n",
    );
    process.exit(1);
  }
}
