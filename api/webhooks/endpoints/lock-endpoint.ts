import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { lockUserAgainstDeletion } from "#api/people/users/user.entity.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/**
 * Locks and returns one of the caller's endpoints. The lock doesn't block new deliveries, which take only a key-share
 * lock.
 * @throws AppError NOT_FOUND if the endpoint doesn't exist or belongs to another user.
 */
export async function lockEndpoint(context: Context, em: EntityManager, id: string): Promise<WebhookEndpoint> {
  if (!isUuid(id)) throw notFound();
  // Lock the user before the endpoint, in the same order as account deletion and promotion to admin.
  await lockUserAgainstDeletion(em, getCallerId(context));
  const locked = await query(em, "select id from webhook_endpoints where id = $1 and owner_id = $2 for no key update", [
    id,
    getCallerId(context),
  ]);
  if (locked.length === 0) throw notFound();
  return em.findOneOrFail(WebhookEndpoint, id);
}
