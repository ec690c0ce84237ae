/** Reads and checks the lock files: one in the root, and one in each other folder with a manifest. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./runtime.mjs";

/** Returns the lock files by folder. */
export function readLocks() {
  const files = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "package-lock.json", "*/package-lock.json"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  return Object.fromEntries(
    files
      .trim()
      .split("\n")
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
