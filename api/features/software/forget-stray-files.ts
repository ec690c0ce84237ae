import { after, DAY, realNow } from "#api/platform/clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { BUILDS_KEY } from "./add-build.ts";
import { forgetStraySpools } from "./upload/spool.ts";

/**
 * Removes files that no build knows a day after they were written: what a stop between storing and publishing,
 * in the middle of an upload, or an emptied database, left behind. The day is real time, as that of the files is.
 */
export const forgetStrayFiles: DueWork = {
  name: "forget-stray-files",
  everySeconds: 3_600,
  async run({ pool, files, config }) {
    const aDayAgo = after(realNow(), -DAY);
    const spools = await forgetStraySpools(config.dataDir, aDayAgo);
    const strays = new Set<string>();
    for await (const { key, writtenAt } of files.list(BUILDS_KEY)) if (writtenAt < aDayAgo) strays.add(key);
    if (strays.size === 0) return spools;
    const { rows } = await pool.query<{ storage_key: string }>(
      "select storage_key from software_builds union all select storage_key from software_files",
    );
    for (const { storage_key: known } of rows) strays.delete(known);
    for (const key of strays) await files.delete(key);
    return spools + strays.size;
  },
};
