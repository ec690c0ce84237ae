import { after, DAY, realNow } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import { isKey } from "#api/platform/files/files.ts";
import { BUILDS_KEY } from "./add-build.ts";
import { forgetStraySpools } from "#api/releases/software/upload/spool.ts";

/**
 * Removes files that no build knows a day after they were written: what a stop between storing and publishing,
 * or in the middle of an upload, left behind. The day is real time, as that of the files is. Where it looks as if not the
 * files were too many but the database were another one, such as an empty or restored one, all stay and the log says so.
 */
export const forgetStrayFiles = destructiveWork({
  name: "forget-stray-files",
  everySeconds: 3_600,
  async run({ clock, pool, files, config, log }) {
    const aDayAgo = after(realNow(clock), -DAY);
    const spools = await forgetStraySpools(config.dataDir, aDayAgo);
    const strays = new Set<string>();
    let listed = 0;
    for await (const { key, writtenAt } of files.list(BUILDS_KEY)) {
      listed++;
      if (writtenAt < aDayAgo && isKey(key)) strays.add(key);
    }
    if (strays.size === 0) return spools;
    const { rows } = await pool.query<{ storage_key: string }>(
      "select storage_key from software_builds union all select storage_key from software_files",
    );
    for (const { storage_key: known } of rows) strays.delete(known);
    if (strays.size > 0 && isAnotherDatabase({ builds: rows.length, strays: strays.size, listed })) {
      log.warn(
        { strays: strays.size, listed },
        "most files of builds are unknown to the database: none is removed. Is it the database of these files?",
      );
      return spools;
    }
    let forgotten = 0;
    for (const key of strays) {
      try {
        await files.delete(key);
        forgotten++;
      } catch (error) {
        log.warn({ err: error, key }, "a file that no build knows could not be removed");
      }
    }
    return spools + forgotten;
  },
});

/** Strays that a few uploads which were cut off can leave, however small the rest is. */
const FEW = 20;

/** Whether the files are rather those of another database than strays of this one. */
function isAnotherDatabase(counted: { builds: number; strays: number; listed: number }): boolean {
  const { builds, strays, listed } = counted;
  return builds === 0 || (strays > FEW && strays > listed / 2);
}
