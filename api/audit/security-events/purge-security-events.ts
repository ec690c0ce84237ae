import { SECURITY_EVENT_DAYS } from "#schema/security-event.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";

/** Maximum number of rows deleted in one transaction. */
const BATCH_SIZE = 10_000;

/**
 * Deletes security events after 400 days, and records it, because `audit verify` demands an entry for what is gone. The
 * database refuses to delete newer ones by its own clock, so moving the development clock doesn't delete any.
 */
export const purgeSecurityEvents = defineDestructiveSweep({
  name: "purge-security-events",
  everySeconds: 86_400,
  run: (context, now) =>
    inTransaction(context, async (em) => {
      const before = addMilliseconds(now, -SECURITY_EVENT_DAYS * DAY);
      const [purged] = await query<{ count: number }>(em, "select purge_security_events($1, $2) as count", [
        before,
        BATCH_SIZE,
      ]);
      const count = purged?.count ?? 0;
      if (count > 0)
        await recordChange(context, em, {
          action: "purge-security-events",
          subject: { type: "security-events", id: before.toISOString(), name: "Security events" },
          userId: null,
          after: { before: before.toISOString(), count },
        });
      return count;
    }),
});
