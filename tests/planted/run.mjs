/**
 * Plants each fault of faults.ts in the source, one at a time, and runs tests of `npm test` until one fails
 * (`npm run test:planted`). Ends with `N of N caught`. `npm run test:planted -- refund` plants only the faults whose name or
 * file contains the word. Works on a temporary copy of the checkout, so a stopped run never leaves a fault behind.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { endRuns, exitCode, onStopSignal, root, run } from "../../scripts/runtime.mjs";

const skipped = /^(?:node_modules|\.git|\.cache|\.stryker-tmp|\.data.*|dist|test-results)$/;

const copy = mkdtempSync(join(tmpdir(), "planted-"));
const removeCopy = () => rmSync(copy, { recursive: true, force: true });
onStopSignal((signal) => {
  endRuns();
  removeCopy();
  process.exit(exitCode(null, signal));
});

cpSync(root, copy, {
  recursive: true,
  filter: (path) => !skipped.test(basename(path)),
});
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
const { code } = await run([join(copy, "tests/planted/plant-faults.ts"), ...process.argv.slice(2)], {
  show: true,
  cwd: copy,
});
removeCopy();
process.exit(code);
