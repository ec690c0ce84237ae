import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { holdUser } from "#api/people/users/get-user.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/** The caller's endpoints, oldest first. */
export async function listEndpoints(context: Context): Promise<WebhookEndpoint[]> {
  return context.em.find(WebhookEndpoint, { owner: callerOf(context) }, { orderBy: { createdAt: "asc", id: "asc" } });
}

/** One of the caller's endpoints; null alike for another's and one that is not there. */
export async function findEndpoint(context: Context, id: string): Promise<WebhookEndpoint | null> {
  if (!isUuid(id)) return null;
  return context.em.findOne(WebhookEndpoint, { id, owner: callerOf(context) });
}

/**
 * One of the caller's endpoints under lock. Deliveries that are written for it meanwhile are not held up: they lock its
 * key alone.
 * @throws AppError NOT_FOUND, alike for another's and one that is not there.
 */
export async function lockEndpoint(context: Context, em: EntityManager, id: string): Promise<WebhookEndpoint> {
  if (!isUuid(id)) throw notFound();
  // The user before the endpoint, as in deleting the account and in promoting; what is written below refers to the user.
  await holdUser(em, callerOf(context));
  const locked = await query(em, "select id from webhook_endpoints where id = $1 and owner_id = $2 for no key update", [
    id,
    callerOf(context),
  ]);
  if (locked.length === 0) throw notFound();
  return em.findOneOrFail(WebhookEndpoint, id);
}

/** The id of who asks. @throws AppError UNAUTHENTICATED for a visitor. */
export function callerOf({ actor }: Pick<Context, "actor">): string {
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return actor.userId;
}
