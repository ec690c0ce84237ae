import { wrap } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { changeWebhooks } from "#api/audit/change-log/record-change.ts";
import type { User } from "#api/people/users/user.entity.ts";

/**
 * Changes details that users edit themselves, in the transaction of `em`, which must have locked the user's row. Records a
 * webhook event with the names of the changed fields, if there are any, and syncs payments if the country changed.
 */
export async function changeOwnDetails(
  context: Context,
  em: EntityManager,
  user: User,
  values: Partial<User>,
): Promise<void> {
  const before = wrap(user).toPOJO();
  Object.assign(user, values);
  const changed = Object.entries(wrap(user).toPOJO()).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as never] ?? null),
  );
  const fields = changed.map(([name]) => name);
  // A new country changes the GST on later payments.
  if (fields.includes("country")) await context.jobs.add(em, "sync-payments", { userId: user.id });
  if (fields.length > 0) await changeWebhooks.get()(context, em, [{ kind: "user.changed", userId: user.id, fields }]);
}
