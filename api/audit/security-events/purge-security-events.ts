import { SECURITY_EVENT_DAYS } from "#schema/security-event.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";

/** Maximum number of rows deleted by one statement. */
const BATCH_SIZE = 1_000;

/**
 * Deletes security events after 400 days. The database refuses to delete newer ones by its own clock, so moving the
 * development clock doesn't delete any.
 */
export const purgeSecurityEvents = defineDestructiveSweep({
  name: "purge-security-events",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rows } = await pool.query<{ count: number }>("select purge_security_events($1, $2) as count", [
      addMilliseconds(now, -SECURITY_EVENT_DAYS * DAY),
      BATCH_SIZE,
    ]);
    return rows[0]?.count ?? 0;
  },
});
