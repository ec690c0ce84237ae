/** Fails on a dependency whose licence nobody has agreed to. Run by `npm run check`. */
import { bin, run } from "./runtime.mjs";

/** What a closed product may be made with and shipped with. MPL-2.0 is file-wise and used unchanged. */
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
const refused = packages.filter(([, { licenses }]) => ![licenses].flat().every(agrees));
for (const [name, { licenses }] of refused) process.stdout.write(`${name}: ${licenses}\n`);
if (refused.length > 0) {
  process.stdout.write(
    "These licences are not in the list of scripts/check-licences.mjs; take another package, or add the licence there with its reason.\n",
  );
  process.exit(1);
}

/** An expression as SPDX writes them: every part of an AND, any part of an OR. `MIT*` was guessed from the licence's text. */
function agrees(expression) {
  const inner = expression.replace(/^\((.*)\)$/, "$1");
  return inner
    .split(" AND ")
    .every((part) => part.split(" OR ").some((one) => allowed.has(one.replace(/[()*]/g, "").trim())));
}
