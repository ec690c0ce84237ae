import { after, DAY, realNow } from "#api/platform/clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { BUILDS_KEY } from "./add-build.ts";

/**
 * Removes files that no build knows a day after they were written: what a stop between storing and publishing,
 * or an emptied database, left behind. The day is real time, as that of the files is.
 */
export const forgetStrayFiles: DueWork = {
  name: "forget-stray-files",
  everySeconds: 3_600,
  async run({ pool, files }) {
    const strays = new Set<string>();
    for await (const { key, writtenAt } of files.list(BUILDS_KEY))
      if (writtenAt < after(realNow(), -DAY)) strays.add(key);
    if (strays.size === 0) return 0;
    const { rows } = await pool.query<{ storage_key: string }>(
      "select storage_key from software_builds union all select storage_key from software_files",
    );
    for (const { storage_key: known } of rows) strays.delete(known);
    for (const key of strays) await files.delete(key);
    return strays.size;
  },
};
