import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Linux counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Returns the parent of a process, or 0 if it is unknown. */
export function getParentPid(pid: number): number {
  return readStat(pid)?.parent ?? 0;
}

/** Returns the processor time of a process in seconds, or NaN without /proc. */
export function readProcessorSeconds(pid: number): number {
  return readStat(pid)?.own ?? Number.NaN;
}

/** Returns the processor time of a process and its children, including exited ones, such as PostgreSQL with its backends. */
export function readProcessorSecondsWithChildren(pid: number): number {
  const head = readStat(pid);
  if (!head) return Number.NaN;
  const running = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return head.own + head.ended + running.reduce((sum, stat) => sum + (stat?.own ?? 0), 0);
}

/** Returns the processor time of this process's exited children, which are the load generators. */
export function readProcessorSecondsOfEndedChildren(): number {
  return readStat(process.pid)?.ended ?? Number.NaN;
}

/** Returns the memory of a process in MB, or NaN without /proc. */
export function readResidentMegabytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

function readStat(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    // The command name in brackets can contain any character, so the numbers start after the last bracket (proc(5)).
    const words = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [, parent = 0] = words;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = words.slice(11, 15);
    return { parent, own: (user + system) / TICKS_A_SECOND, ended: (endedUser + endedSystem) / TICKS_A_SECOND };
  } catch {
    return null;
  }
}
