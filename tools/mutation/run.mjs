/**
 * Changes the rules of sets.ts in small ways, one at a time, and requires that the tests notice at least 80 % of the changes
 * (`npm run test:mutation`). `npm run test:mutation -- tokens` runs one set. Lists the changes that no test noticed. Keeps
 * the results in .cache/mutation and tests again only what changed.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endRuns, exitCode, onStopSignal, root, run } from "../../scripts/runtime.mjs";
import { sets } from "./sets.ts";

const folder = dirname(fileURLToPath(import.meta.url));
const stryker = join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js");
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(sets);

onStopSignal((signal) => {
  endRuns();
  process.exit(exitCode(null, signal));
});

if (!existsSync(stryker)) await run([join(root, "scripts/bootstrap.mjs"), "dev", "tools/mutation"], { show: true });
const failed = [];
for (const name of chosen) {
  process.stdout.write(`\n── ${name} ${"─".repeat(70 - name.length)}\n`);
  const { code } = await run([stryker, "run", join(folder, "stryker.config.mjs")], {
    show: true,
    env: { MUTATION_SET: name },
  });
  if (code !== 0) failed.push(name);
}
process.stdout.write(
  failed.length > 0 ? `Below 80 %: ${failed.join(", ")}\n` : `At least 80 % in ${chosen.join(", ")}\n`,
);
process.exit(failed.length > 0 ? 1 : 0);
