import { readFileSync } from "node:fs";

/** Returns whether a process is running. Zombie processes don't count. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}
