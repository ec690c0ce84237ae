import { addMilliseconds, DAY, getRealNow } from "#api/platform/clock.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { isFileKey } from "#api/platform/files/files.ts";
import { BUILDS_KEY } from "./add-build.ts";
import { deleteOrphanedSpools } from "#api/releases/software/upload/spool.ts";

/**
 * Deletes orphaned files a day after they were written, for example by an interrupted upload. The day is real time,
 * like the files' own times. If most files are unknown, the database probably belongs to other files (it is empty or was
 * restored), so all files are kept and a warning is logged.
 */
export const deleteOrphanedFiles = defineDestructiveSweep({
  name: "forget-stray-files",
  everySeconds: 3_600,
  async run({ clock, pool, files, config, log }) {
    const aDayAgo = addMilliseconds(getRealNow(clock), -DAY);
    const deletedSpools = await deleteOrphanedSpools(config.dataDir, aDayAgo);
    const orphans = new Set<string>();
    let listed = 0;
    for await (const { key, writtenAt } of files.list(BUILDS_KEY)) {
      listed++;
      if (writtenAt < aDayAgo && isFileKey(key)) orphans.add(key);
    }
    if (orphans.size === 0) return deletedSpools;
    const { rows } = await pool.query<{ storage_key: string }>(
      "select storage_key from software_builds union all select storage_key from software_files",
    );
    for (const { storage_key: known } of rows) orphans.delete(known);
    if (orphans.size > 0 && isAnotherDatabase({ builds: rows.length, orphans: orphans.size, listed })) {
      log.warn(
        { orphans: orphans.size, listed },
        "most build files are unknown to the database, so none was deleted. Check that this database belongs to these files.",
      );
      return deletedSpools;
    }
    let deleted = 0;
    for (const key of orphans) {
      try {
        await files.delete(key);
        deleted++;
      } catch (error) {
        log.warn({ err: error, key }, "could not delete an orphaned build file");
      }
    }
    return deletedSpools + deleted;
  },
});

/** Number of orphans that is plausible after interrupted uploads, regardless of the total number of files. */
const ORPHANS_TOLERATED = 20;

/** Returns whether the files seem to belong to another database. */
function isAnotherDatabase(counts: { builds: number; orphans: number; listed: number }): boolean {
  const { builds, orphans, listed } = counts;
  return builds === 0 || (orphans > ORPHANS_TOLERATED && orphans > listed / 2);
}
