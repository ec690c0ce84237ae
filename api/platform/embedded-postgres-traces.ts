import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-postgres-ground.ts";

/** What PostgreSQL writes about itself into its data directory while it runs. */
export interface Postmaster {
  readonly pid: number;
  readonly ready: boolean;
}

/** The postmaster that last wrote into the cluster, alive or not; null after a clean end. */
export function postmaster(cluster: string): Postmaster | null {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number.parseInt(lines[0] ?? "", 10);
    return pid > 0 ? { pid, ready: lines[7]?.trim() === "ready" } : null;
  } catch {
    return null;
  }
}

/**
 * Makes sure that no PostgreSQL runs on the cluster any more. One that lost its supervisor is usually
 * just stopping and is waited for; one that is not gets asked, and after half the time made, to stop.
 * Call it only under the folder's lock: then whatever still runs has lost its supervisor.
 * @throws EmbeddedPostgresError when it is still there after `waitMs`
 */
export async function endLeftover(cluster: string, waitMs: number): Promise<void> {
  const started = performance.now();
  let asked: NodeJS.Signals | null = null;
  for (;;) {
    const left = postmaster(cluster);
    if (!left) return;
    if (!runsOn(left.pid, cluster)) {
      // After kill -9 the file stays; its number may by now be another program's, which PostgreSQL would take for itself.
      rmSync(join(cluster, "postmaster.pid"), { force: true });
      return;
    }
    const elapsed = performance.now() - started;
    if (elapsed > waitMs)
      throw new EmbeddedPostgresError(
        `A PostgreSQL (process ${left.pid}) still runs on ${cluster} and does not stop; end it first, or set DATA_DIR to another folder.`,
      );
    const ask: NodeJS.Signals = elapsed > waitMs / 2 ? "SIGQUIT" : "SIGINT";
    if (asked !== ask) signal(left.pid, ask);
    asked = ask;
    await sleep(25);
  }
}

/** The last line of PostgreSQL's log that tells why it gave up. */
export function lastFault(logFile: string): string | null {
  try {
    const lines = readFileSync(logFile, "utf8").split("\n");
    const fault =
      lines.findLast((line) => /\b(FATAL|PANIC):|: error:|not permitted/.test(line)) ??
      lines.findLast((line) => line !== "");
    return fault?.replace(/^.*?(FATAL|PANIC|error):\s*/, "") ?? null;
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone in the meantime, or not ours to end: the time limit decides.
  }
}

function runsOn(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  if (process.platform === "win32") return true;
  return commandLine(pid).includes(cluster);
}

function commandLine(pid: number): string {
  if (process.platform !== "linux")
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
