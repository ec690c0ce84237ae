import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedPostgresError } from "./runtime.ts";

/** The state that a running PostgreSQL records in its data directory. */
export interface Postmaster {
  readonly pid: number;
  readonly isReady: boolean;
}

/** Returns the postmaster that last used the cluster, running or not; null after a clean shutdown. */
export function readPostmaster(cluster: string): Postmaster | null {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number.parseInt(lines[0] ?? "", 10);
    return pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : null;
  } catch {
    return null;
  }
}

/**
 * Stops a PostgreSQL server that is still running on the cluster after its supervisor died. Requests a fast
 * shutdown, and an immediate one after half of `waitMs`. Call it only while holding the folder's lock, because then no
 * supervisor is running.
 * @throws EmbeddedPostgresError if PostgreSQL is still running after `waitMs`
 */
export async function stopLeftoverPostgres(cluster: string, waitMs: number): Promise<void> {
  const started = performance.now();
  let sent: NodeJS.Signals | null = null;
  for (;;) {
    const left = readPostmaster(cluster);
    if (!left) return;
    if (!isRunningOn(left.pid, cluster)) {
      // After kill -9 the file remains. Another program may have reused the PID, and PostgreSQL would mistake that
      // program for a running server.
      rmSync(join(cluster, "postmaster.pid"), { force: true });
      return;
    }
    const elapsed = performance.now() - started;
    if (elapsed > waitMs)
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${left.pid}) is still running on ${cluster} and doesn't stop. End that process first, or set DATA_DIR to another folder.`,
      );
    const wanted: NodeJS.Signals = elapsed > waitMs / 2 ? "SIGQUIT" : "SIGINT";
    if (sent !== wanted) sendSignal(left.pid, wanted);
    sent = wanted;
    await sleep(25);
  }
}

/** Returns the last line of PostgreSQL's log that explains why it ended; null if there is no log. */
export function readLastError(logFile: string): string | null {
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

/** Sends a signal to a process, which may have ended. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended or belongs to another user. The time limit applies either way.
  }
}

function isRunningOn(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  if (process.platform === "win32") return true;
  return readCommandLine(pid).includes(cluster);
}

function readCommandLine(pid: number): string {
  if (process.platform !== "linux")
    return spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
