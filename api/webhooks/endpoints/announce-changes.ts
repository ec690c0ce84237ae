import type { AnnouncedChange } from "#api/audit/change-log/change-webhooks.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { type NewWebhookEvent, recordWebhookEvents } from "./record-webhook-event.ts";

/** Records webhook events for changes of users, contacts and builds, in the transaction of `em`. */
export function announceChanges(
  context: Context,
  em: EntityManager,
  changes: readonly AnnouncedChange[],
): Promise<void> {
  return recordWebhookEvents(
    context,
    em,
    changes.map(({ kind, ...data }) => {
      // Only a user who can use the account receives an event about it.
      const userId = kind === "user.changed" && "userId" in data ? data.userId : null;
      return { type: kind, userId, data } as NewWebhookEvent;
    }),
  );
}
