import { randomUUID } from "node:crypto";
import { listValues } from "#schema/closed-list.ts";
import { MemberType } from "#schema/user.ts";
import { staffRoleNames } from "#schema/staff-roles.ts";
import { canReceiveEvents, webhookEventRoles, webhookEvents } from "#schema/webhooks.ts";
import { isActiveOwnerSql } from "#api/people/users/last-admin.ts";
import { addMilliseconds, toEpochSeconds, getRealNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { type ExternalResponse, postToExternalUrl } from "#api/platform/http/external-requests.ts";
import { openSecret } from "#api/platform/keys/sealed-secrets.ts";
import { type ClaimedAttempt, recordAttemptResult } from "./record-attempt-result.ts";
import { lockOwnerEndpoints, MAX_CONCURRENT_DELIVERIES, queueNextDelivery } from "./concurrent-deliveries.ts";
import { Webhook } from "standardwebhooks";

/** Time limit from the DNS lookup to the last byte of the response, in milliseconds (docs/webhooks.md). */
const TIMEOUT_MS = 10 * SECOND;

/** Time after which an attempt without a result is assumed to belong to a killed process, in milliseconds. */
const CLAIM_MS = 3 * TIMEOUT_MS;

/** Number of characters of a response body that the log keeps. */
const BODY_CHARACTERS = 1_000;

/** A delivery that this process has claimed; no other process attempts it. */
interface ClaimedDelivery extends ClaimedAttempt {
  readonly eventId: string;
  readonly payload: string;
  readonly secret: string;
  /** Previous signing secret. Null if there is none or its 24 hours have passed. */
  readonly previousSecret: string | null;
}

/**
 * Attempts a delivery once if it is due and unclaimed, and records the result. Concurrent calls make a single attempt.
 * If the process is killed, the sweep finds the delivery again.
 */
export async function deliverWebhook(context: Context, { deliveryId }: { deliveryId: string }): Promise<void> {
  const claimed = await claim(context, deliveryId);
  if (!claimed) return;
  const secrets = [claimed.secret, claimed.previousSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSecret(context.encryptionKeys, sealed, claimed.endpointId))
    .filter((secret) => secret !== null);
  const response = secrets.length > 0 ? await post(context, claimed, secrets) : unsigned;
  await recordAttemptResult(context, claimed, response);
}

/**
 * Result recorded if no secret can be opened because its key was removed from `ENCRYPTION_KEYS`
 * (docs/operations.md).
 */
const unsigned: ExternalResponse = {
  durationMs: 0,
  status: null,
  body: null,
  retryAfterMs: null,
  failure: "The request could not be signed. Roll the secret of this endpoint.",
};

function post({ clock, config }: Context, { eventId, payload, url }: ClaimedDelivery, secrets: readonly string[]) {
  // Use the real time: receivers compare the timestamp with their own clocks.
  const timestamp = toEpochSeconds(getRealNow(clock));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Portal-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signWebhook(secrets, eventId, timestamp, payload),
  };
  return postToExternalUrl(new URL(url), headers, payload, {
    allowsLoopback: !config.production,
    timeoutMs: TIMEOUT_MS,
    bodyCharacters: BODY_CHARACTERS,
  });
}

/** SQL: staff roles that receive events of the type `v.type`. */
const eventRoles = `case v.type ${Object.entries(webhookEventRoles)
  .map(([type, roles]) => `when '${type}' then '{${roles.join(",")}}'`)
  .join(" ")} else '{${staffRoleNames.join(",")}}' end::text[]`;

/** Types of events that customers receive about themselves. */
const customerTypes = listValues(webhookEvents).filter((type) => canReceiveEvents(type, null));

// Archived users receive nothing, and only admins receive events about other users, as far as their roles allow. Never null:
// a delivery that is neither allowed nor forbidden would wait forever and delay the others of its owner.
const canOwnerReceive = `e.enabled and u.archived_at is null
  and case when u.member_type = ${MemberType.Admin} then ${isActiveOwnerSql("u")} or u.staff_roles && ${eventRoles}
      else v.user_id is not distinct from u.id and v.type = any('{${customerTypes.join(",")}}') end`;

// The attempt is logged before it is made, so that the log also shows attempts by processes that were killed. The
// limits per owner and per failing endpoint keep timeouts from delaying the deliveries of other owners.
const claimDelivery = `
  with claimed as (
  update webhook_deliveries d
     set claimed_until = $4::timestamptz, queued_until = null, attempt_count = d.attempt_count + 1
    from webhook_endpoints e, webhook_events v, users u
   where d.id = $1 and e.id = d.endpoint_id and v.id = d.event_id and u.id = e.owner_id
     and d.status = 'pending' and (d.attempt_count = 0 or d.next_attempt_at <= $2)
     and (d.claimed_until is null or d.claimed_until <= $3)
     and ${canOwnerReceive}
     and (e.failing_since is null or not exists (
       select from webhook_deliveries o where o.endpoint_id = e.id and o.id <> d.id and o.claimed_until > $3))
     and (select count(*) from webhook_endpoints oe join webhook_deliveries o on o.endpoint_id = oe.id
           where oe.owner_id = u.id and o.id <> d.id and o.claimed_until > $3) < ${MAX_CONCURRENT_DELIVERIES}
  returning d.id, d.attempt_count as attempt, e.id as "endpointId", v.id as "eventId", v.payload, e.url, e.secret,
            case when e.previous_secret_until > $2 then e.previous_secret end as "previousSecret"
  ), written as (
    insert into webhook_attempts (id, delivery_id, at, duration_ms, open_until) select $5, id, $2, 0, $4 from claimed)
  select *, $5::uuid as "attemptId" from claimed`;

/**
 * Claims a delivery for this process; returns null if it isn't due or a limit is reached. Locks the owner's endpoints so that
 * concurrent claims can't exceed the limit per owner.
 */
function claim(context: Context, id: string): Promise<ClaimedDelivery | null> {
  return inTransaction(context, async (em) => {
    await lockOwnerEndpoints(em, id);
    const now = context.clock.now();
    const real = getRealNow(context.clock);
    const [claimed] = await query<ClaimedDelivery>(em, claimDelivery, [
      id,
      now,
      real,
      addMilliseconds(real, CLAIM_MS),
      randomUUID(),
    ]);
    if (claimed) return claimed;
    if (await cancelForbidden(em, id, now)) await queueNextDelivery(context, em, id);
    // A limit is reached. This delivery is queued again when another delivery of the owner ends, or by the sweep.
    else await query(em, "update webhook_deliveries set queued_until = null where id = $1", [id]);
    return null;
  });
}

/** Ends a delivery if its owner may no longer receive the event, and logs why. Returns whether it did. */
async function cancelForbidden(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const cancelled = await query(
    em,
    `update webhook_deliveries d set status = 'failed', next_attempt_at = null, queued_until = null, claimed_until = null
       from webhook_endpoints e, webhook_events v, users u
      where d.id = $1 and e.id = d.endpoint_id and v.id = d.event_id and u.id = e.owner_id and d.status = 'pending'
        and not (${canOwnerReceive})
     returning d.id`,
    [id],
  );
  if (cancelled.length === 0) return false;
  await query(em, "insert into webhook_attempts (id, delivery_id, at, duration_ms, error) values ($1, $2, $3, 0, $4)", [
    randomUUID(),
    id,
    at,
    "Nothing was sent, because the endpoint is turned off or its owner may no longer receive this event.",
  ]);
  return true;
}

/**
 * Returns the `webhook-signature` header of Standard Webhooks: one signature over id, time and body for each secret.
 * @param timestamp whole seconds since 1970
 */
function signWebhook(secrets: readonly string[], id: string, timestamp: number, payload: string): string {
  const at = new Date(timestamp * 1_000);
  return secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(" ");
}
