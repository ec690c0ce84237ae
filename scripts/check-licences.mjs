/** Fails if a lock file names a package whose licence isn't in the list of allowed licences. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./changed-files.mjs";
import { root } from "./runtime.mjs";

/**
 * Licences of packages that a closed-source product may use and ship. MPL-2.0 applies to single files, and we don't
 * change any of those files.
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
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "WTFPL",
]);

/** Packages whose manifest has no licence. Their licence files say MIT. */
const withoutField = new Set(["busboy", "dicer", "format", "humanize-number", "only", "png-js", "streamsearch"]);

const faults = listFiles()
  .filter((file) => /(^|\/)package-lock\.json$/.test(file))
  .flatMap((file) => {
    const { packages } = JSON.parse(readFileSync(join(root, file), "utf8"));
    return Object.entries(packages).flatMap(([path, { license, link }]) => {
      const name = path.split("node_modules/").at(-1);
      if (path === "" || link || isAllowed(license ?? (withoutField.has(name) ? "MIT" : "none"))) return [];
      return [`${file}: ${name}: ${license ?? "no licence"}`];
    });
  });
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) {
  process.stdout.write(
    "These licences are not in the list of scripts/check-licences.mjs. Choose another package, or add the licence there with a reason.\n",
  );
  process.exit(1);
}

/** Evaluates an SPDX expression: an AND needs all its parts to be allowed, an OR any one of them. */
function isAllowed(expression) {
  return expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" AND ")
    .every((part) => part.split(" OR ").some((one) => allowed.has(one.replace(/[()]| License$/g, "").trim())));
}
