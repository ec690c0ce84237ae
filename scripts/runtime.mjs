/** What every launcher needs: where things are, which Node runs them, and child processes that never outlive us. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Arguments that let Node run the TypeScript sources. */
export const typescript = ["--import", "@oxc-node/core/register"];

const NODE_MAJOR = 24;

/** The Node that runs the product: the one the manifest brings, else this one when it is new enough. */
export function productNode() {
  const brought = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(brought)) return brought;
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR) return process.execPath;
  throw new Error("Node 24 is not installed in node_modules; run npm install.");
}

/** Path of a package's command, to be run with {@link productNode}. */
export function bin(packageName, command = packageName.split("/").at(-1)) {
  const folder = join(root, "node_modules", packageName);
  const { bin: commands } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof commands === "string" ? commands : commands[command]);
}

/**
 * Runs a command to its end and gathers what it says; one that takes longer than `limitMs` is ended.
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
export function run(args, { env = {}, show = false, command = productNode(), limitMs = 0 } = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
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
  process.stderr.write(`Ended, because it took longer than ${limitMs / 60_000} minutes.\n`);
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
}

/** Ends what {@link run} has under way. */
export function endRuns() {
  for (const child of running) child.kill("SIGTERM");
}

/** A process's end as a shell tells it: its code, or 128 and the signal's number. */
export function exitCode(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0);
}

/**
 * Runs a server until it ends or we are asked to end, and passes every request to end on to it.
 * The IPC channel is its lifeline: when we are killed outright, the server sees it close and stops.
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

/** Calls `stop` once for each signal to end, and when the npm that started us has been killed. */
export function whenAskedToEnd(stop) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  const ancestors = npmAbove();
  if (ancestors === null) return;
  setInterval(() => {
    if (npmAbove() !== ancestors) stop("SIGTERM");
  }, 150).unref();
}

/** Our parents up to npm, as a text that changes when one of them goes; null when npm did not start us. */
function npmAbove() {
  if (!process.env.npm_lifecycle_event) return null;
  const parent = process.ppid;
  // Some shells stay between npm and the command it runs; then it is the shell's parent that counts.
  const shell = process.platform === "linux" && /^(?:\S*\/)?(?:sh|dash|bash)\0/.test(procFile(parent, "cmdline"));
  return shell ? `${parent} ${/^PPid:\s*(\d+)/m.exec(procFile(parent, "status"))?.[1]}` : String(parent);
}

function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
