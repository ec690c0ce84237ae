import { randomUUID } from "node:crypto";
import { MemberType } from "#schema/catalogue.ts";
import { after, epochSeconds, realNow, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { type OutsideAnswer, postOutside } from "#api/platform/outside-requests.ts";
import { openSecret } from "#api/platform/sealed-secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { judgeAttempt } from "./judge-attempt.ts";
import { lockOwnersEndpoints, MOST_UNDER_WAY, queueNext } from "./under-way.ts";
import { Webhook } from "standardwebhooks";

/** From resolving the name to the last byte of the answer (docs/webhooks.md). */
const TIMEOUT_MS = 10 * SECOND;

/** An attempt that has not been heard of for this long belongs to a killed process. */
const CLAIM_MS = 3 * TIMEOUT_MS;

/** Characters of an answer that the log keeps. */
const BODY_CHARACTERS = 1_000;

/** A delivery that this process alone attempts now. */
interface Claimed {
  readonly id: string;
  /** Its row in the log. */
  readonly attemptId: string;
  /** Which attempt this is, from 1; an attempt that was killed counts. */
  readonly attempt: number;
  readonly endpointId: string;
  readonly eventId: string;
  readonly payload: string;
  readonly url: string;
  readonly secret: string;
  /** Null once it no longer signs. */
  readonly previousSecret: string | null;
}

/**
 * The job of a delivery: one attempt, if one is due and nobody makes it yet. Called twice, at the same time too, it makes
 * one; a process that is killed leaves the delivery to the sweep. What came of it is written under the claim.
 */
export async function deliverWebhook(context: Context, { deliveryId }: { deliveryId: string }): Promise<void> {
  const claimed = await claim(context, deliveryId);
  if (!claimed) return;
  const secrets = [claimed.secret, claimed.previousSecret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSecret(context.keys, sealed, claimed.endpointId))
    .filter((secret) => secret !== null);
  const answer = secrets.length > 0 ? await post(context, claimed, secrets) : unsigned;
  await judgeAttempt(context, claimed, answer);
}

/** The signing key that sealed it was taken out of `SIGNING_KEYS` (docs/operations.md). */
const unsigned: OutsideAnswer = {
  durationMs: 0,
  status: null,
  body: null,
  failure: "It could not be signed. Please make a new secret for this endpoint.",
};

function post({ clock, config }: Context, { eventId, payload, url }: Claimed, secrets: readonly string[]) {
  // The real time: receivers compare it with their own clocks, which nobody has moved.
  const timestamp = epochSeconds(realNow(clock));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Portal-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signWebhook(secrets, eventId, timestamp, payload),
  };
  return postOutside(new URL(url), headers, payload, {
    allowsLoopback: !config.production,
    timeoutMs: TIMEOUT_MS,
    bodyCharacters: BODY_CHARACTERS,
  });
}

// Who was archived or demoted since is told nothing of others any more. Of one owner a few deliveries are under way, and of
// an endpoint that fails one, so that time-outs do not keep everybody else's waiting.
const mayStillHear = `e.enabled and u.archived_at is null and (v.user_id = u.id or u.member_type = ${MemberType.Admin})`;

// The attempt stands in the log before it is made: one whose process is killed is told of, too.
const claimDelivery = `
  with claimed as (
  update webhook_deliveries d
     set claimed_until = $4::timestamptz, queued_until = null, attempt_count = d.attempt_count + 1
    from webhook_endpoints e, webhook_events v, users u
   where d.id = $1 and e.id = d.endpoint_id and v.id = d.event_id and u.id = e.owner_id
     and d.status = 'pending' and (d.attempt_count = 0 or d.next_attempt_at <= $2)
     and (d.claimed_until is null or d.claimed_until <= $3)
     and ${mayStillHear}
     and (e.failing_since is null or not exists (
       select from webhook_deliveries o where o.endpoint_id = e.id and o.id <> d.id and o.claimed_until > $3))
     and (select count(*) from webhook_endpoints oe join webhook_deliveries o on o.endpoint_id = oe.id
           where oe.owner_id = u.id and o.id <> d.id and o.claimed_until > $3) < ${MOST_UNDER_WAY}
  returning d.id, d.attempt_count as attempt, e.id as "endpointId", v.id as "eventId", v.payload, e.url, e.secret,
            case when e.previous_secret_until > $2 then e.previous_secret end as "previousSecret"
  ), written as (
    insert into webhook_attempts (id, delivery_id, at, duration_ms, open_until) select $5, id, $2, 0, $4 from claimed)
  select *, $5::uuid as "attemptId" from claimed`;

/** Under the lock of the owner's endpoints, so that two claims do not both count themselves as the last one. */
function claim(context: Context, id: string): Promise<Claimed | null> {
  return inTransaction(context, async (em) => {
    await lockOwnersEndpoints(em, id);
    const now = context.clock.now();
    const real = realNow(context.clock);
    const [claimed] = await query<Claimed>(em, claimDelivery, [id, now, real, after(real, CLAIM_MS), randomUUID()]);
    if (claimed) return claimed;
    if (await giveUpUnheard(em, id, now)) await queueNext(context, em, id);
    // Not its turn: whichever of the owner's is over next finds it, or the sweep.
    else await query(em, "update webhook_deliveries set queued_until = null where id = $1", [id]);
    return null;
  });
}

/** Ends a delivery of which nobody is to hear any more; its log says so. */
async function giveUpUnheard(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const given = await query(
    em,
    `update webhook_deliveries d set status = 'failed', next_attempt_at = null, queued_until = null, claimed_until = null
       from webhook_endpoints e, webhook_events v, users u
      where d.id = $1 and e.id = d.endpoint_id and v.id = d.event_id and u.id = e.owner_id and d.status = 'pending'
        and not (${mayStillHear})
     returning d.id`,
    [id],
  );
  if (given.length === 0) return false;
  await query(em, "insert into webhook_attempts (id, delivery_id, at, duration_ms, error) values ($1, $2, $3, 0, $4)", [
    randomUUID(),
    id,
    at,
    "Nothing was sent: the endpoint is turned off, or its owner may not hear of this any more.",
  ]);
  return true;
}

/**
 * The header `webhook-signature` of Standard Webhooks: a signature over id, time and body for each secret, so that a
 * receiver that has either of them takes it.
 * @param timestamp whole seconds since 1970
 */
function signWebhook(secrets: readonly string[], id: string, timestamp: number, payload: string): string {
  const at = new Date(timestamp * 1_000);
  return secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(" ");
}
