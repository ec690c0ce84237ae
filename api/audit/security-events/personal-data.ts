import { SECURITY_EVENT_DAYS } from "#schema/security-events.ts";
import { DAY } from "#api/platform/clock.ts";
import {
  createBatchStatement,
  keepReasons,
  MAX_EXPORTED_ROWS,
  type PersonalData,
} from "#api/platform/personal-data.ts";
import { SecurityEvent } from "./security-event.entity.ts";

export const securityEventData: PersonalData = {
  tables: {
    security_events: {
      erased: { "security-events": "address detail" },
      kept: { [keepReasons.staffLog]: "user_id actor_id request_id" },
      impersonal: "id at type count",
    },
  },
  retention: [{ table: "security_events", endedAt: "at", keptMs: SECURITY_EVENT_DAYS * DAY }],
  erasure: [
    {
      name: "security-events",
      title: "Security events",
      effect: "anonymized",
      table: "security_events",
      run: createBatchStatement(
        `update security_events set address = '', detail = '{}' where id in (
           select id from security_events
            where (user_id = :user or actor_id = :user) and (address <> '' or detail <> '{}') limit :limit)`,
      ),
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
