import { addMilliseconds, DAY, getRealNow } from "#api/platform/clock.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { isFileKey } from "#api/platform/files/files.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import { BUILDS_KEY } from "./add-build.ts";
import { deleteOrphanedSpools } from "#api/releases/software/upload/spool.ts";

/** Number of orphans that is plausible after interrupted uploads, regardless of the total number of files. */
const ORPHANS_TOLERATED = 20;

/**
 * Deletes orphaned files a day after they were written, for example by an interrupted upload. The day is real time,
 * like the files' own times. If most files are unknown, the database probably belongs to other files (it is empty or was
 * restored), so all files are kept and a warning is logged.
 */
export const deleteOrphanedFiles = defineDestructiveSweep({
  name: "forget-stray-files",
  everySeconds: 3_600,
  async run(context) {
    const { clock, pool, files, config, log } = context;
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
    // If most files are unknown, the files probably belong to another database.
    const isForeign = rows.length === 0 || (orphans.size > ORPHANS_TOLERATED && orphans.size > listed / 2);
    if (orphans.size > 0 && isForeign) {
      log.warn(
        { orphans: orphans.size, listed },
        "most build files are unknown to the database, so none was deleted. Check that this database belongs to these files.",
      );
      return deletedSpools;
    }
    const found = Array.from(orphans, (id) => ({ id }));
    return deletedSpools + (await finishEach(context, found, ({ id }) => files.delete(id)));
  },
});
