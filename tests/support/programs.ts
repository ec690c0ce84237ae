import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { build } from "vite";
import { inject } from "vitest";

/**
 * Builds the programs that tests run in separate processes: the server, and the scripts of this folder that start a step
 * and wait to be killed. A built program loads ten times as fast as its sources. The first test that needs a program
 * builds all of them for the test run.
 * @returns the folder of `server.js`, `pause-upload.js` and the others
 */
export async function buildPrograms(): Promise<string> {
  const folder = inject("programs");
  if (existsSync(folder)) return folder;
  const own = `${folder}-${randomUUID()}`;
  const sources = ["api/server.ts", ...globSync("tests/support/{pause,keep}-*.ts")];
  const input = Object.fromEntries(sources.map((source) => [basename(source, ".ts"), source]));
  const options = { ssr: true, outDir: own, sourcemap: false, rolldownOptions: { input } };
  await build({ configFile: "vite.server.config.ts", mode: "production", logLevel: "warn", build: options });
  try {
    renameSync(own, folder);
  } catch {
    // The other worker was faster.
    rmSync(own, { recursive: true, force: true });
    return folder;
  }
  // A process that is killed doesn't store the code that it compiled.
  await promisify(execFile)(process.execPath, [join(folder, "keep-compiled-api.js")], {
    env: buildEnvironment(folder),
  });
  return folder;
}

const buildEnvironment = (folder: string) => ({ ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") });

/**
 * Starts a program in a separate process.
 * @param name file name without extension, such as `pause-upload`
 */
export async function startProgram(
  name: string,
  args: readonly string[],
  { env = {}, stderr = "inherit" }: { env?: NodeJS.ProcessEnv; stderr?: "inherit" | "pipe" } = {},
): Promise<ChildProcess & { stdout: Readable }> {
  const folder = await buildPrograms();
  const child = spawn(process.execPath, [join(folder, `${name}.js`), ...args], {
    env: { ...buildEnvironment(folder), ...env },
    stdio: ["ignore", "pipe", stderr],
  });
  return child as ChildProcess & { stdout: Readable };
}

/**
 * Runs a program until it prints something, and kills it there.
 * @throws Error if it ends before, instead of waiting for ever
 */
export async function killAtOutput(name: string, args: readonly string[]): Promise<void> {
  const child = await startProgram(name, args);
  const ended = once(child, "exit");
  const isReached = await Promise.race([once(child.stdout, "data").then(() => true), ended.then(() => false)]);
  child.kill("SIGKILL");
  await ended;
  if (!isReached) throw new Error(`${name} ended with code ${child.exitCode} before it reached its point.`);
}
