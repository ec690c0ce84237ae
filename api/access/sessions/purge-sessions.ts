import { after } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import { KNOWN_DEVICE_MS } from "./announce-sign-in.ts";

/** By the sessions kept a sign-in is told from one on a new device. */
const KEPT_MS = KNOWN_DEVICE_MS;

/** Removes sessions that ended or expired more than 90 days ago, and their refresh tokens with them. */
export const purgeSessions = destructiveWork({
  name: "purge-sessions",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rowCount } = await pool.query(
      `delete from sessions where id in
         (select id from sessions where least(ended_at, expires_at) < $1 limit 1000)`,
      [after(now, -KEPT_MS)],
    );
    return rowCount ?? 0;
  },
});
