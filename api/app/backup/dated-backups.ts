import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY, readMachineClock } from "#api/platform/clock.ts";

const datedName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/** Returns the name of a backup's folder, its time in UTC, such as `2026-11-26T02-00-00Z`. */
export function getBackupName(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** Returns the complete backups in a folder, oldest first. */
export function listBackups(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => datedName.test(name) && existsSync(join(folder, name, "manifest.json")))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Deletes what interrupted backups left in a folder more than a day ago. */
export function deleteInterruptedBackups(folder: string): void {
  if (!existsSync(folder)) return;
  const isPart = (name: string) => name.endsWith(".part") && datedName.test(name.slice(0, name.indexOf(".")));
  for (const name of readdirSync(folder).filter(isPart))
    try {
      const path = join(folder, name);
      if (readMachineClock() - statSync(path).mtimeMs > DAY) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another user's, or that of another backup, which has just renamed it. The next backup matters more.
    }
}

/**
 * Deletes all backups in a folder except the one just written and the newest others, `keep` in all. Other files stay. After
 * the machine's clock was ahead, others are newer by their names.
 * @returns the deleted backups
 */
export function deleteOldBackups(folder: string, keep: number, written: string): string[] {
  const others = listBackups(folder).filter((path) => path !== written);
  const old = others.slice(0, Math.max(0, others.length - keep + 1));
  for (const path of old) rmSync(path, { recursive: true, force: true });
  return old;
}
