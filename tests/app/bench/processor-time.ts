import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Linux counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** The parent of a process; 0 when it cannot be told. */
export function parentOf(pid: number): number {
  return statOf(pid)?.parent ?? 0;
}

/** Seconds of processor time a process has used so far; NaN where there is no /proc. */
export function processorSeconds(pid: number): number {
  return statOf(pid)?.own ?? Number.NaN;
}

/** The same for a process with all its children, those that have ended too: a PostgreSQL and its backends. */
export function processorSecondsOfFamily(pid: number): number {
  const head = statOf(pid);
  if (!head) return Number.NaN;
  const running = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return head.own + head.ended + running.reduce((sum, stat) => sum + (stat?.own ?? 0), 0);
}

/** Processor time of the children of this process that have ended: the load generators. */
export function processorSecondsOfEnded(): number {
  return statOf(process.pid)?.ended ?? Number.NaN;
}

/** Memory a process holds, in MB; NaN where there is no /proc. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    // The name of the command, in brackets, may hold anything; the numbers follow the last bracket (proc(5)).
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
