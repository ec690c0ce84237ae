import { after, DAY } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** Removes move codes a day after they lapsed. */
export const purgeMoveCodes = destructiveWork({
  name: "purge-move-codes",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rowCount } = await pool.query(
      "delete from move_codes where id in (select id from move_codes where expires_at < $1 limit 1000)",
      [after(now, -DAY)],
    );
    return rowCount ?? 0;
  },
});
