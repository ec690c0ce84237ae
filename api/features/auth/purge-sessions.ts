import { after, DAY } from "#api/platform/clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";

/** A replayed refresh token of a session ended this recently is still recognised for what it is. */
const KEPT_MS = 30 * DAY;

/** Removes sessions that ended or expired more than 30 days ago, and their refresh tokens with them. */
export const purgeSessions: DueWork = {
  name: "purge-sessions",
  everySeconds: 3_600,
  async run({ clock, pool }) {
    const { rowCount } = await pool.query(
      `delete from sessions where id in
         (select id from sessions where least(ended_at, expires_at) < $1 limit 1000)`,
      [after(clock.now(), -KEPT_MS)],
    );
    return rowCount ?? 0;
  },
};
