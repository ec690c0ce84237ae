/** Fails if the licence of a dependency isn't in the list of allowed licences. */
import { bin, run } from "./runtime.mjs";

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

const { code, output } = await run([bin("license-checker-rseidelsohn"), "--json", "--excludePrivatePackages"]);
if (code !== 0) {
  process.stderr.write(output);
  process.exit(1);
}
const packages = Object.entries(JSON.parse(output.slice(output.indexOf("{"))));
const refused = packages.filter(([, { licenses }]) => ![licenses].flat().every(isAllowed));
for (const [name, { licenses }] of refused) process.stdout.write(`${name}: ${licenses}\n`);
if (refused.length > 0) {
  process.stdout.write(
    "These licences are not in the list of scripts/check-licences.mjs. Choose another package, or add the licence there with a reason.\n",
  );
  process.exit(1);
}

/**
 * Evaluates an SPDX expression: an AND needs all its parts to be allowed, an OR any one of them. `MIT*` means that the
 * licence was guessed from its text.
 */
function isAllowed(expression) {
  const inner = expression.replace(/^\((.*)\)$/, "$1");
  return inner
    .split(" AND ")
    .every((part) => part.split(" OR ").some((one) => allowed.has(one.replace(/[()*]/g, "").trim())));
}
