import { describeResponseStatus, WEBHOOK_FAILING_DAYS, type WebhookDeliveryStatus } from "#schema/webhooks.ts";
import { addMilliseconds, DAY, HOUR, MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { isClockWrong } from "#api/platform/database/database-clock.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import type { ExternalResponse } from "#api/platform/http/external-requests.ts";
import { User } from "#api/people/users/user.entity.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { webhookEndpointOff } from "#api/messaging/emails/templates/webhook-endpoint-off.tsx";
import { cancelPendingDeliveries } from "./change-endpoint.ts";
import { lockOwnerEndpoints, queueNextDelivery } from "./concurrent-deliveries.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/**
 * Delay after each failed attempt, in milliseconds of the app's clock. The delivery fails if the attempt after the last
 * delay fails.
 */
export const retryDelays: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
];

/** Longest delay that a receiver can request with `Retry-After`, in milliseconds. */
const MAX_REQUESTED_DELAY_MS = DAY;

/** An attempt made by this process. */
export interface ClaimedAttempt {
  readonly id: string;
  /** Id of the attempt's row in the log. */
  readonly attemptId: string;
  /** Number of the attempt, from 1, including interrupted attempts. */
  readonly attempt: number;
  readonly endpointId: string;
  /** The URL that was called. The endpoint may have another one by now. */
  readonly url: string;
}

/**
 * Records the result of an attempt and sets the delivery to delivered, failed or pending with the next attempt. Turns the
 * endpoint off and emails its owner on a 410, or when every attempt has failed for five days. A failure of a URL that the endpoint
 * no longer has only postpones the delivery. Queues the owner's next delivery.
 * If another attempt has started or the delivery was cancelled in the meantime, only a success changes the delivery.
 */
export async function recordAttemptResult(
  context: Context,
  attempt: ClaimedAttempt,
  response: ExternalResponse,
): Promise<void> {
  const now = context.clock.now();
  const error = describeError(response);
  const delay = retryDelays[attempt.attempt - 1];
  const requestedDelay = Math.min(response.retryAfterMs ?? 0, MAX_REQUESTED_DELAY_MS);
  await inTransaction(context, async (em) => {
    // Lock the endpoints before their deliveries, in the same order as deleting an endpoint.
    await lockOwnerEndpoints(em, attempt.id);
    const endpoint = await em.findOne(WebhookEndpoint, attempt.endpointId);
    const isCurrent = endpoint?.url === attempt.url;
    const isGone = response.status === 410 && isCurrent;
    const status: WebhookDeliveryStatus =
      error === null ? "delivered" : delay === undefined || isGone ? "failed" : "pending";
    const nextAttemptAt =
      status === "pending" && delay !== undefined ? addMilliseconds(now, Math.max(delay, requestedDelay)) : null;
    const updated = await query(
      em,
      `update webhook_deliveries
          set status = $3, next_attempt_at = $4, delivered_at = $5, claimed_until = null, queued_until = null
        where id = $1 and attempt_count = $2 and (status = 'pending' or $3 = 'delivered') returning id`,
      [attempt.id, attempt.attempt, status, nextAttemptAt, status === "delivered" ? now : null],
    );
    await query(
      em,
      `update webhook_attempts set duration_ms = $2, response_status = $3, response_body = $4, error = $5, open_until = null
        where id = $1`,
      [attempt.attemptId, response.durationMs, response.status, response.body, error],
    );
    if (updated.length === 0 || !endpoint) return;
    endpoint.lastDeliveryAt = now;
    endpoint.lastStatus = status;
    if (isCurrent) endpoint.failingSince = error === null ? null : (endpoint.failingSince ?? now);
    const hasFailedTooLong =
      endpoint.failingSince !== null &&
      addMilliseconds(endpoint.failingSince, WEBHOOK_FAILING_DAYS * DAY) <= now &&
      // While the clock is wrong, the duration of the failure is unknown, so leave the decision to a later attempt.
      !isClockWrong(context.clock);
    if (endpoint.enabled && (isGone || hasFailedTooLong))
      await turnOff(
        context,
        em,
        endpoint,
        isGone
          ? "The endpoint responded with 410 Gone, which means that it no longer accepts events."
          : `Every attempt failed for ${WEBHOOK_FAILING_DAYS} days.`,
      );
    await em.flush();
    await queueNextDelivery(context, em, attempt.id);
  });
}

/** Returns a sentence saying why a response isn't a success, or null if it is one. */
function describeError({ failure, status }: ExternalResponse): string | null {
  if (failure) return failure;
  if (status !== null && status >= 200 && status < 300) return null;
  if (status !== null && status >= 300 && status < 400)
    return `${describeResponseStatus(status)} Redirects are not followed.`;
  return describeResponseStatus(status);
}

async function turnOff(context: Context, em: EntityManager, endpoint: WebhookEndpoint, reason: string): Promise<void> {
  const now = context.clock.now();
  Object.assign(endpoint, { enabled: false, disabledAt: now, disabledReason: reason, failingSince: null });
  await cancelPendingDeliveries(em, [endpoint.id]);
  const owner = await em.findOneOrFail(User, endpoint.owner.id);
  if (owner.archivedAt) return;
  await emailUser(context, em, owner, webhookEndpointOff, { host: new URL(endpoint.url).host, reason, at: now });
}
