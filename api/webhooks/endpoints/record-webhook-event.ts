import { randomUUID } from "node:crypto";
import { MemberType } from "#schema/user.ts";
import type { SubscribedEventType, WebhookEventType } from "#schema/webhooks.ts";
import { addMilliseconds, getRealNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { WebhookData } from "./webhook-data.ts";
import type { AnnouncedChange } from "#api/audit/change-log/record-change.ts";

/** An event to record, with its type and payload. */
export type NewWebhookEvent = {
  [Type in WebhookEventType]: {
    readonly type: Type;
    /** The customer affected, who receives the event, too. Null if only staff do. */
    readonly userId: string | null;
    readonly data: WebhookData[Type];
  };
}[WebhookEventType];

/** Time during which the sweep leaves a queued delivery to its job, in milliseconds of the machine's clock. */
const QUEUED_MS = 60 * SECOND;

/**
 * Maximum number of deliveries queued directly. The sweep queues larger batches seconds later, so that the transaction of
 * the change stays short.
 */
const MAX_DIRECT_JOBS = 20;

/**
 * Returns SQL selecting as `o` the ids of the users who receive events about `userId` (an SQL expression): the user and
 * all admins, except archived ones. This is a short list, so the planner looks endpoints up by owner.
 */
const recipients = (userId: string) => `(
  select id from users where id = ${userId} and archived_at is null
  union all select id from users
             where member_type = ${MemberType.Admin} and archived_at is null and deleted_at is null
               and id is distinct from ${userId}) o`;

/**
 * Returns SQL that is true if an endpoint is subscribed to events of the given type about the user. Frequently run
 * statements include it to avoid a separate query (decision 0051).
 */
export const hasWebhookSubscribers = (type: WebhookEventType, userId: string) =>
  `exists (select from ${recipients(userId)} join webhook_endpoints e on e.owner_id = o.id
            where e.enabled and e.event_types @> '["${type}"]')`;

/**
 * Returns the statement that writes events and their deliveries to subscribed endpoints, for {@link writeEvents}. `for key
 * share` waits for an endpoint that is being deleted and then skips it, but doesn't wait for one being updated. The order
 * (users before endpoints, each by id) matches account deletion and prevents deadlocks.
 * @param receivers SQL selecting as `o` the ids of the users who receive the event `h`
 * @param condition SQL about the event `h` and its user `c`, who is locked
 */
export const buildInsertEvents = (receivers: string, condition: string) => `
  with happened as (
    select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) as h (id, type, user_id, payload)
  ), concerned as materialized (
    select u.id from users u
     where exists (
       select from happened h cross join lateral ${receivers} join webhook_endpoints e on e.owner_id = o.id
        where h.user_id = u.id and e.enabled and e.event_types @> to_jsonb(h.type))
       and u.id in (select user_id from happened)
     order by u.id for key share
  ), listening as materialized (
    select h.id as event_id, e.id as endpoint_id
      from happened h left join concerned c on c.id = h.user_id
           cross join lateral ${receivers} join webhook_endpoints e on e.owner_id = o.id
     where ${condition} and e.enabled and e.event_types @> to_jsonb(h.type)
     order by e.id for key share of e
  ), events as (
    insert into webhook_events (id, type, user_id, payload, created_at)
    select h.id, h.type, c.id, h.payload, $5 from happened h left join concerned c on c.id = h.user_id
     where h.id in (select event_id from listening)
  )
  insert into webhook_deliveries (id, endpoint_id, event_id, status, created_at, next_attempt_at)
  select gen_random_uuid(), endpoint_id, event_id, 'pending', $5, $5 from listening
  returning id`;

const insertEvents = buildInsertEvents(recipients("h.user_id"), "(h.user_id is null or c.id is not null)");

/** An event with its body as JSON. */
interface WrittenEvent {
  readonly id: string;
  readonly type: SubscribedEventType;
  /** The user concerned, or null. */
  readonly userId: string | null;
  readonly payload: string;
}

/** Writes events with a statement of {@link buildInsertEvents} and queues their deliveries, in the transaction of `em`. */
export async function writeEvents(
  context: Context,
  em: EntityManager,
  statement: string,
  events: readonly WrittenEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const deliveries = await query<{ id: string }>(em, statement, [
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ userId }) => userId),
    events.map(({ payload }) => payload),
    context.clock.now(),
  ]);
  if (deliveries.length <= MAX_DIRECT_JOBS) await queueDeliveries(context, em, deliveries);
}

/**
 * Records events and queues their deliveries to subscribed endpoints in the transaction of `em`, so events are sent
 * only if it commits. Writes nothing without subscribers. A new `users` row must be inserted first. Call it late in a
 * transaction, because it locks users and endpoints.
 */
export async function recordWebhookEvents(
  context: Context,
  em: EntityManager,
  newEvents: readonly NewWebhookEvent[],
): Promise<void> {
  const createdAt = context.clock.now();
  const events = newEvents.map(({ type, userId, data }) => {
    const id = randomUUID();
    return { id, type, userId, payload: JSON.stringify({ id, type, createdAt, data }) };
  });
  await writeEvents(context, em, insertEvents, events);
}

/** Queues a job for the next attempt of each delivery. */
export async function queueDeliveries(
  context: Pick<Context, "clock" | "jobs">,
  em: EntityManager,
  deliveries: readonly { readonly id: string }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  await query(em, "update webhook_deliveries set queued_until = $2 where id = any($1)", [
    ids,
    addMilliseconds(getRealNow(context.clock), QUEUED_MS),
  ]);
  await context.jobs.add(em, "deliver-webhook", ...ids.map((deliveryId) => ({ deliveryId })));
}

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
