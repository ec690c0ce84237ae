import { WEBHOOK_FAILING_DAYS, type WebhookDeliveryStatus } from "#schema/webhooks.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { isClockWrong } from "#api/platform/database-clock.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { OutsideAnswer } from "#api/platform/outside-requests.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { giveUpPending } from "./turn-off-endpoint.ts";
import { lockOwnersEndpoints, queueNext } from "./under-way.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

/** How long after each failed attempt the next one is made, in milliseconds of the app's clock; then it is given up. */
export const backOff: readonly number[] = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];

/** An attempt that this process made. */
export interface MadeAttempt {
  readonly id: string;
  readonly attemptId: string;
  readonly attempt: number;
  readonly endpointId: string;
}

/**
 * Writes down what came of an attempt, and what follows: delivered, the next attempt, or given up; an endpoint that says
 * 410, or has only failed for five days, is turned off and its owner mailed. The owner's next delivery takes its place. Where
 * another attempt was begun since, or the delivery was given up, the log alone learns of it; but what was taken is delivered.
 */
export async function judgeAttempt(context: Context, made: MadeAttempt, answer: OutsideAnswer): Promise<void> {
  const now = context.clock.now();
  const error = errorOf(answer);
  const wait = backOff[made.attempt - 1];
  const isGone = answer.status === 410;
  const status: WebhookDeliveryStatus =
    error === null ? "delivered" : wait === undefined || isGone ? "failed" : "pending";
  const nextAttemptAt = status === "pending" && wait !== undefined ? after(now, wait) : null;
  await inTransaction(context, async (em) => {
    // The endpoints before their deliveries, as in deleting them.
    await lockOwnersEndpoints(em, made.id);
    const marked = await query(
      em,
      `update webhook_deliveries
          set status = $3, next_attempt_at = $4, delivered_at = $5, claimed_until = null, queued_until = null
        where id = $1 and attempt_count = $2 and (status = 'pending' or $3 = 'delivered') returning id`,
      [made.id, made.attempt, status, nextAttemptAt, status === "delivered" ? now : null],
    );
    await query(
      em,
      `update webhook_attempts set duration_ms = $2, response_status = $3, response_body = $4, error = $5, open_until = null
        where id = $1`,
      [made.attemptId, answer.durationMs, answer.status, answer.body, error],
    );
    if (marked.length === 0) return;
    const endpoint = await em.findOneOrFail(WebhookEndpoint, made.endpointId);
    endpoint.lastDeliveryAt = now;
    endpoint.lastStatus = status;
    endpoint.failingSince = error === null ? null : (endpoint.failingSince ?? now);
    const isHopeless =
      endpoint.failingSince !== null &&
      after(endpoint.failingSince, WEBHOOK_FAILING_DAYS * DAY) <= now &&
      // How long it has failed is unknown while the clock is wrong; a later attempt decides.
      !isClockWrong(context.clock);
    if (endpoint.enabled && (isGone || isHopeless))
      await turnOff(
        context,
        em,
        endpoint,
        isGone
          ? "It answered 410 Gone, by which an endpoint says that it wants nothing any more."
          : `Every attempt failed for ${WEBHOOK_FAILING_DAYS} days.`,
      );
    await em.flush();
    await queueNext(context, em, made.id);
  });
}

/** Why an answer does not count, as a sentence; null for one that does. */
function errorOf({ failure, status }: OutsideAnswer): string | null {
  if (failure) return failure;
  if (status !== null && status >= 200 && status < 300) return null;
  if (status !== null && status >= 300 && status < 400) return `It answered ${status}; redirects are not followed.`;
  return `It answered ${status}.`;
}

async function turnOff(context: Context, em: EntityManager, endpoint: WebhookEndpoint, reason: string): Promise<void> {
  const now = context.clock.now();
  Object.assign(endpoint, { enabled: false, disabledAt: now, disabledReason: reason, failingSince: null });
  await giveUpPending(em, [endpoint.id]);
  const owner = await em.findOneOrFail(User, endpoint.owner.id);
  if (owner.archivedAt) return;
  await sendMail(context, em, {
    template: "webhook-endpoint-off",
    to: owner.email,
    data: {
      firstName: owner.firstName,
      host: new URL(endpoint.url).host,
      reason,
      at: now,
      link: `${context.config.publicUrl}/webhooks/`,
    },
  });
}
