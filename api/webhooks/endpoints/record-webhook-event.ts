import { randomUUID } from "node:crypto";
import { MemberType } from "#schema/catalogue.ts";
import type { WebhookEventType } from "#schema/webhooks.ts";
import { after, realNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { WebhookData } from "./webhook-data.ts";

/** Something that endpoints may be told. */
export type Happening = {
  [Type in WebhookEventType]: {
    readonly type: Type;
    /** The customer whom it concerns. */
    readonly userId: string;
    readonly data: WebhookData[Type];
  };
}[WebhookEventType];

/** How long nobody else looks after a delivery whose job is on its way, in milliseconds of the machine's clock. */
export const QUEUED_MS = 60 * SECOND;

/** More deliveries at once than these are found by the sweep a few seconds later: each job is a statement of its own. */
const MOST_JOBS = 20;

/**
 * SQL: the ids `o` of who hears what happens to user `userId` (an expression): that user, and admins; nobody who is
 * archived. Few, so that their endpoints are found by the owner and not the other way round.
 */
const hearers = (userId: string) => `(
  select id from users where id = ${userId} and archived_at is null
  union all select id from users
             where member_type = ${MemberType.Admin} and archived_at is null and deleted_at is null and id <> ${userId}) o`;

/**
 * SQL: whether anybody listens to events of a type about the user. For statements that are asked all day, which so learn it
 * beside their answer (decision 0051).
 */
export const isHeard = (type: WebhookEventType, userId: string) =>
  `exists (select from ${hearers(userId)} join webhook_endpoints e on e.owner_id = o.id
            where e.enabled and e.event_types @> '["${type}"]')`;

// Endpoints are locked by their key, so that one that is deleted at this moment is waited for and left out, and one that
// is changed is not: in the order of their ids, and after whom it concerns, to whom the event refers, as in deleting.
const record = `
  with happened as (
    select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) as h (id, type, user_id, payload)
  ), concerned as materialized (
    select u.id from users u
     where exists (
       select from happened h cross join lateral ${hearers("h.user_id")} join webhook_endpoints e on e.owner_id = o.id
        where h.user_id = u.id and e.enabled and e.event_types @> to_jsonb(h.type))
       and u.id in (select user_id from happened)
     order by u.id for key share
  ), listening as materialized (
    select h.id as event_id, e.id as endpoint_id
      from happened h join concerned c on c.id = h.user_id
           cross join lateral ${hearers("h.user_id")} join webhook_endpoints e on e.owner_id = o.id
     where e.enabled and e.event_types @> to_jsonb(h.type)
     order by e.id for key share of e
  ), events as (
    insert into webhook_events (id, type, user_id, payload, created_at)
    select id, type, user_id, payload, $5 from happened where id in (select event_id from listening)
  )
  insert into webhook_deliveries (id, endpoint_id, event_id, status, created_at, next_attempt_at)
  select gen_random_uuid(), endpoint_id, event_id, 'pending', $5, $5 from listening
  returning id`;

/**
 * Writes what happened for the endpoints that listen, and the jobs that tell them, in the transaction of `em`: told if,
 * and only if, it happened. Nothing is written where nobody listens. What it tells of must be written before where a row
 * of `users` is new. Call it late in a transaction.
 */
export async function recordWebhookEvents(
  context: Context,
  em: EntityManager,
  happenings: readonly Happening[],
): Promise<void> {
  if (happenings.length === 0) return;
  const now = context.clock.now();
  const events = happenings.map(({ type, userId, data }) => {
    const id = randomUUID();
    return { id, type, userId, payload: JSON.stringify({ id, type, createdAt: now, data }) };
  });
  const deliveries = await query<{ id: string }>(em, record, [
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ userId }) => userId),
    events.map(({ payload }) => payload),
    now,
  ]);
  if (deliveries.length <= MOST_JOBS) await queueDeliveries(context, em, deliveries);
}

/** Adds the jobs that make the next attempt of deliveries. */
export async function queueDeliveries(
  context: Pick<Context, "clock" | "jobs">,
  em: EntityManager,
  deliveries: readonly { readonly id: string }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  await query(em, "update webhook_deliveries set queued_until = $2 where id = any($1)", [
    ids,
    after(realNow(context.clock), QUEUED_MS),
  ]);
  for (const deliveryId of ids) await context.jobs.add(em, "deliver-webhook", { deliveryId });
}
