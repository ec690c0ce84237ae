import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** User without rights, whom programs run as that refuse to run as root. */
export const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;
export const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Commands, and the Debian packages that provide them. */
export type Commands = Readonly<Record<string, string>>;

/** Installs Debian packages that provide the given commands, unless they exist. */
export function requireCommands(commands: Commands): void {
  const missing = Object.entries(commands).filter(([command]) => spawnSync("which", [command]).status !== 0);
  if (missing.length === 0) return;
  execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
  execFileSync("apt-get", ["install", "-y", "-qq", ...missing.map(([, name]) => name)], { stdio: "ignore" });
}

/** A program that runs until it is stopped. */
export interface Program {
  stop(): void;
}

/** Writes a configuration file and starts a program with it as a user without rights, if this one is root. */
export async function startProgram(
  command: string,
  config: string,
  args: (file: string) => string[],
  waitMs = 1_000,
): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), "portal-operations-"));
  const file = join(folder, "config");
  writeFileSync(file, config);
  if (isRoot) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY);
  const child: ChildProcess = spawn(command, args(file), {
    ...owner,
    stdio: ["ignore", "ignore", process.env["OPERATIONS_LOG"] ? "inherit" : "ignore"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  await sleep(waitMs);
  if (child.exitCode !== null) throw new Error(`${command} ended with code ${child.exitCode}`);
  return {
    stop() {
      child.kill("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
