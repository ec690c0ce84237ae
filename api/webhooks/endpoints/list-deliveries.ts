import type { WebhookDeliveryListValues } from "#schema/rules/webhook.ts";
import { WEBHOOK_DELIVERIES_A_PAGE, type WebhookAttemptStatus } from "#schema/webhooks.ts";
import type { Context } from "#api/platform/context.ts";
import { realNow } from "#api/platform/clock.ts";
import { query } from "#api/platform/database.ts";
import { createLoader, createRelationLoader } from "#api/platform/loaders.ts";
import { WebhookAttempt } from "./webhook-attempt.entity.ts";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";
import type { WebhookEvent } from "./webhook-event.entity.ts";

/** A page of the log of an endpoint. */
export interface DeliveryRows {
  readonly rows: WebhookDelivery[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/**
 * Whether the caller may read an event: their own, or as an admin anyone's. Asked each time, because who was an admin
 * when it was sent may be none any more.
 */
export function mayReadEvent({ actor }: Pick<Context, "actor">, { user }: WebhookEvent): boolean {
  return actor?.role === "admin" || user.id === actor?.userId;
}

/**
 * A page of what was sent to an endpoint, newest first, as far as the caller may read it. Who may see the endpoint is
 * decided before.
 */
export function deliveriesOf(
  context: Pick<Context, "em" | "actor">,
  endpointId: string,
  { page, status }: WebhookDeliveryListValues,
): Promise<DeliveryRows> {
  return pageOfEndpoint(context, endpointId, { page, status: status ?? null });
}

const pageOfEndpoint = createLoader(
  async (
    { em, actor }: Pick<Context, "em" | "actor">,
    endpointIds: readonly string[],
    { page, status }: { page: number; status: string | null },
  ): Promise<DeliveryRows[]> => {
    const onlyAbout = actor?.role === "admin" ? null : (actor?.userId ?? "");
    const wanted = `endpoint_id = e.id and ($2::text is null or status = $2) and ($5::text is null or exists (
    select from webhook_events v where v.id = event_id and v.user_id::text = $5))`;
    const found = await query<{ endpointId: string; total: number; ids: string[] }>(
      em,
      `select e.id as "endpointId",
            (select count(*)::int from webhook_deliveries where ${wanted}) as total,
            array(select id::text from webhook_deliveries where ${wanted}
                   order by created_at desc, id desc limit $3 offset $4) as ids
       from unnest($1::uuid[]) as e (id)`,
      [endpointIds, status, WEBHOOK_DELIVERIES_A_PAGE, (page - 1) * WEBHOOK_DELIVERIES_A_PAGE, onlyAbout],
    );
    const rows = await em.find(WebhookDelivery, { id: { $in: found.flatMap(({ ids }) => ids) } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return endpointIds.map((id) => {
      const one = found.find(({ endpointId }) => endpointId === id);
      const inOrder = (one?.ids ?? []).map((rowId) => byId.get(rowId)).filter((row) => row !== undefined);
      return { rows: inOrder, total: one?.total ?? 0, page, pageSize: WEBHOOK_DELIVERIES_A_PAGE };
    });
  },
);

const attemptsOfDelivery = createRelationLoader<WebhookAttempt>({
  entity: WebhookAttempt,
  of: "delivery",
  orderBy: { at: "asc", id: "asc" },
});

/** The attempts of a delivery that are over, oldest first. */
export async function attemptsOf(
  context: Pick<Context, "clock" | "em">,
  deliveryId: string,
): Promise<WebhookAttempt[]> {
  const now = realNow(context.clock);
  const rows = await attemptsOfDelivery(context, deliveryId);
  return rows.filter(({ openUntil }) => openUntil === null || openUntil <= now);
}

/** What came of an attempt that is over. One that nobody wrote the end of was interrupted: its process is gone. */
export function statusOfAttempt({ openUntil, error }: WebhookAttempt): WebhookAttemptStatus {
  if (openUntil !== null) return "interrupted";
  return error === null ? "delivered" : "failed";
}

/** Why an attempt does not count as delivered, as a sentence; null for one that does. */
export function errorOfAttempt(attempt: WebhookAttempt): string | null {
  return statusOfAttempt(attempt) === "interrupted"
    ? "We were interrupted before the answer came, so your endpoint may have received it or not."
    : attempt.error;
}
