import { createBatchFunction, MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";
import { SecurityEvent } from "./security-event.entity.ts";

export const securityEventData: PersonalData = {
  tables: {
    security_events: { erasedBy: "security-events" },
  },
  erasure: [
    {
      name: "security-events",
      title: "Security events",
      effect: "anonymized",
      table: "security_events",
      run: createBatchFunction("erase_security_events"),
    },
  ],
  exported: {
    async securityEvents({ em }, user) {
      const events = await em.find(
        SecurityEvent,
        { userId: user.id },
        { orderBy: { at: "desc", id: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      // The address belongs to an admin who acted on the account.
      return events.map(({ at, type, actorId, address, count }) => ({
        at,
        type,
        address: actorId ? "" : address,
        count,
      }));
    },
  },
};
