import { canReceiveEvents, subscribedEventTypes } from "#schema/webhooks.ts";
import type { Context } from "#api/platform/context.ts";
import { getRealNow } from "#api/platform/clock.ts";
import { query } from "#api/platform/database/database.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { buildCountedPage, type PageOf, type RowRange } from "#api/platform/graphql/page.ts";
import { WebhookAttempt, WebhookDelivery, type WebhookEvent } from "./webhook-endpoint.entity.ts";

/**
 * Returns whether the caller may read an event: customers events about themselves, and admins events that their roles include. Checked on every read, because the caller may have lost the role since the event was sent.
 */
export function canReadEvent({ actor }: Pick<Context, "actor">, { user, type }: WebhookEvent): boolean {
  if (!canCallerReceive({ actor }, type)) return false;
  return actor?.role === "admin" || (user !== null && user.id === actor?.userId);
}

/** Returns whether the caller may receive events of a type now. */
export function canCallerReceive({ actor }: Pick<Context, "actor">, type: string): boolean {
  return canReceiveEvents(type, actor?.role === "admin" ? (actor.staffRoles ?? []) : null);
}

/**
 * Returns a page of an endpoint's deliveries that the caller may read, newest first. The caller must already have
 * access to the endpoint.
 */
export const listDeliveries = createLoader(
  async (
    { em, actor }: Pick<Context, "em" | "actor">,
    endpointIds: readonly string[],
    { offset, limit, status }: RowRange & { status: string | null },
  ): Promise<PageOf<WebhookDelivery>[]> => {
    const onlyUserId = actor?.role === "admin" ? null : (actor?.userId ?? "");
    const hiddenTypes = subscribedEventTypes.filter((type) => !canCallerReceive({ actor }, type));
    const isShown = `endpoint_id = e.id and ($2::text is null or status = $2)
      and (($5::text is null and $6::text[] = '{}') or exists (
        select from webhook_events v
         where v.id = event_id and ($5::text is null or v.user_id::text = $5) and v.type <> all($6::text[])))`;
    const found = await query<{ endpointId: string; total: number; ids: string[] }>(
      em,
      `select e.id as "endpointId",
            (select count(*)::int from webhook_deliveries where ${isShown}) as total,
            array(select id::text from webhook_deliveries where ${isShown}
                   order by created_at desc, id desc limit $3 offset $4) as ids
       from unnest($1::uuid[]) as e (id)`,
      [endpointIds, status, limit, offset, onlyUserId, hiddenTypes],
    );
    const rows = await em.find(WebhookDelivery, { id: { $in: found.flatMap(({ ids }) => ids) } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return endpointIds.map((id) => {
      const pageFound = found.find(({ endpointId }) => endpointId === id);
      const inOrder = (pageFound?.ids ?? []).map((rowId) => byId.get(rowId)).filter((row) => row !== undefined);
      return buildCountedPage(inOrder, { offset, total: pageFound?.total ?? 0 });
    });
  },
);

const loadAttempts = createRelationLoader<WebhookAttempt>({
  entity: WebhookAttempt,
  of: "delivery",
  orderBy: { at: "asc", id: "asc" },
});

/** Returns the finished attempts of a delivery, oldest first. */
export async function listFinishedAttempts(
  context: Pick<Context, "clock" | "em">,
  deliveryId: string,
): Promise<WebhookAttempt[]> {
  const now = getRealNow(context.clock);
  const rows = await loadAttempts(context, deliveryId);
  return rows.filter(({ openUntil }) => openUntil === null || openUntil <= now);
}
