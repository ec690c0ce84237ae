import { after, DAY } from "#api/platform/clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";

/** Removes move codes a day after they lapsed. */
export const purgeMoveCodes: DueWork = {
  name: "purge-move-codes",
  everySeconds: 3_600,
  async run({ clock, pool }) {
    const { rowCount } = await pool.query(
      "delete from move_codes where id in (select id from move_codes where expires_at < $1 limit 1000)",
      [after(clock.now(), -DAY)],
    );
    return rowCount ?? 0;
  },
};
