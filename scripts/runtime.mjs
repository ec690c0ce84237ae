/**
 * Code shared by the commands: paths, the Node binary that runs the product, and child processes that end with their
 * parent.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Arguments that let Node run the TypeScript sources. */
export const typescript = ["--import", pathToFileURL(join(root, "scripts/typescript.mjs")).href];

const NODE_MAJOR = 24;

/** Returns the path of the Node that the packages include for this platform, if there is one. */
export function bundledNode() {
  const [platform, file] = process.platform === "win32" ? ["win", "node.exe"] : [process.platform, "node"];
  const path = join(root, "node_modules", `node-${platform}-${process.arch}`, "bin", file);
  return existsSync(path) ? path : null;
}

/** Returns the Node binary that runs the product: the bundled one, or the current one if it is new enough. */
export function productNode() {
  const bundled = bundledNode();
  if (bundled) return bundled;
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR) return process.execPath;
  throw new Error("Node 24 is not installed in node_modules; run node scripts/bootstrap.mjs.");
}

/** Returns the path of a command that a package in `from` provides, to run with {@link productNode}. */
export function bin(packageName, command = packageName.split("/").at(-1), from = root) {
  const folder = join(from, "node_modules", packageName);
  const { bin: commands } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof commands === "string" ? commands : commands[command]);
}

/**
 * Runs a command and collects its output. Stops it after `limitMs` milliseconds, if given.
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
export function run(args, { env = {}, show = false, command = productNode(), cwd = root, limitMs = 0 } = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let output = "";
    const limit = limitMs > 0 ? setTimeout(() => end(child, limitMs), limitMs) : null;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        output += chunk;
      });
    child.on("error", (error) => {
      output += error.message;
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      clearTimeout(limit);
      resolve({ code: exitCode(code, signal), output, seconds: (performance.now() - started) / 1000 });
    });
  });
}

const running = new Set();

function end(child, limitMs) {
  process.stderr.write(`Stopped after ${limitMs / 60_000} minutes.\n`);
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
}

/** Stops all commands that {@link run} has started. */
export function endRuns() {
  for (const child of running) child.kill("SIGTERM");
}

/** Returns the exit code that a shell would report: the code, or 128 plus the number of the signal. */
export function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/**
 * Starts a server. It stops when the IPC channel closes, so it doesn't outlive this process even after a SIGKILL.
 * @returns {{ ended: Promise<number>, stop: (signal?: NodeJS.Signals) => Promise<number> }}
 */
export function keepServer(args, { env = {} } = {}) {
  const child = spawn(productNode(), args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = new Promise((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`The server could not be started: ${error.message}\n`);
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(exitCode(code, signal)));
  });
  const stop = (signal = "SIGTERM") => {
    child.kill(signal);
    const hard = setTimeout(() => child.kill("SIGKILL"), STOP_WAIT_MS);
    return ended.finally(() => clearTimeout(hard));
  };
  return { ended, stop };
}

const STOP_WAIT_MS = 15_000;

/** Calls `stop` on each stop signal, and when the npm process that started this process has ended. */
export function onStopSignal(stop) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  const ancestors = findNpmAncestors();
  if (ancestors === null) return;
  setInterval(() => {
    if (findNpmAncestors() !== ancestors) stop("SIGTERM");
  }, 150).unref();
}

/** Returns the ids of the parent processes up to npm as text, or null if npm didn't start this process. */
function findNpmAncestors() {
  if (!process.env.npm_lifecycle_event) return null;
  const parent = process.ppid;
  // Some shells keep running between npm and its command. In that case npm is the shell's parent.
  const shell = process.platform === "linux" && /^(?:\S*\/)?(?:sh|dash|bash)\0/.test(readProcFile(parent, "cmdline"));
  return shell ? `${parent} ${/^PPid:\s*(\d+)/m.exec(readProcFile(parent, "status"))?.[1]}` : String(parent);
}

function readProcFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
