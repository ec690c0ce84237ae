import { randomUUID } from "node:crypto";
import { CARD_REQUIRED } from "#schema/subscription.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, conflict } from "#api/platform/errors.ts";
import { type CardSetup, CardRefusedError, type RawCard } from "#api/platform/payments/payments.ts";
import { getProviderSubscriptionId } from "./change-subscription.ts";
import {
  getRunningSubscription,
  findRunningSubscriptionOfUser,
} from "#api/billing/subscriptions/subscription.entity.ts";
import type { PaymentOutcome } from "./subscribe.ts";
import { findPaymentCustomer, syncCustomer } from "./sync-customer.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { updateCard } from "#api/messaging/emails/templates/update-card.tsx";
import { assertNotArchived } from "#api/people/users/assert-not-archived.ts";
import { User } from "#api/people/users/user.entity.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { findPlanName } from "#api/billing/plans/plan.entity.ts";
import { findFailedAttempt } from "./payment-attempt.entity.ts";
import { isUnpaid } from "./payment-rules.ts";

/** A new card: a payment method from the browser, raw fields where accepted, or a completed card setup. */
export interface PaymentDetails {
  readonly paymentMethodId: string | null;
  readonly card: RawCard | null;
  /** The `id` of the outcome that required authentication, once the customer has authenticated. */
  readonly preparationId: string | null;
}

/**
 * Charges the caller's subscription to another card from now on, and pays overdue invoices with it immediately.
 * @throws AppError CONFLICT without a running subscription; NOT_FOUND if the card setup belongs to another user;
 * UNAVAILABLE if the provider is unreachable.
 */
export async function updatePaymentDetails(context: Context, details: PaymentDetails): Promise<PaymentOutcome> {
  const subscription = await getRunningSubscription(context);
  const customerId = await findPaymentCustomer(context, subscription.user.id);
  if (!customerId) throw conflict("Please contact us to change this subscription.");
  try {
    const prepared = await prepare(context, customerId, subscription.user.id, details);
    if (prepared.state !== "ready" || !prepared.paymentMethodId) return toOutcome(prepared);
    const subscriptionId = getProviderSubscriptionId(subscription);
    const unpaid = await switchCard(context, customerId, prepared.paymentMethodId, subscriptionId);
    if (unpaid) return toOutcome(unpaid);
  } catch (error) {
    if (!(error instanceof CardRefusedError)) throw error;
    return { state: "declined", message: error.message };
  } finally {
    await syncCustomer(context, customerId);
  }
  return { state: "done" };
}

function toOutcome({ state, id, message, clientSecret }: CardSetup): PaymentOutcome {
  if (state === "ready") return { state: "done" };
  return state === "refused" ? { state: "declined", message } : { state, id, clientSecret };
}

async function prepare(
  context: Context,
  customerId: string,
  userId: string,
  details: PaymentDetails,
): Promise<CardSetup> {
  const { payments, rateLimits } = context;
  if (details.preparationId) {
    const prepared = await payments.getCardSetup(details.preparationId);
    if (prepared.customerId !== customerId) throw new AppError("NOT_FOUND");
    // The end of a payment isn't limited, because it tries no card.
    if (prepared.paymentMethodId) await rateLimits.take("paymentDetails", userId);
    return prepared;
  }
  await rateLimits.take("paymentDetails", userId);
  const paymentMethodId = details.paymentMethodId ?? (details.card ? await payments.createCard(details.card) : null);
  if (!paymentMethodId) throw badInput({ paymentMethodId: [CARD_REQUIRED] });
  return payments.setUpCard({ customerId, paymentMethodId, key: `prepare-${randomUUID()}` });
}

/** Returns the overdue payment that the bank requires the customer to confirm; null if nothing is overdue any more. */
async function switchCard(
  { payments }: Context,
  customerId: string,
  paymentMethodId: string,
  subscriptionId: string,
): Promise<CardSetup | null> {
  await payments.setDefaultCard({ customerId, paymentMethodId, subscriptionIds: [subscriptionId] });
  const subscription = (await payments.listSubscriptions(customerId)).find(({ id }) => id === subscriptionId);
  const overdue = subscription?.invoices.filter(isUnpaid) ?? [];
  try {
    // The provider repeats the response of a key, so a card that was declined can only be tried again with another key.
    for (const { id, attempts } of overdue) {
      const unpaid = await payments.payInvoice(id, `pay-${id}-${paymentMethodId}-${attempts.length}`, true);
      if (unpaid) return unpaid;
    }
    return null;
  } catch (error) {
    if (!(error instanceof CardRefusedError)) throw error;
    throw new CardRefusedError(`Your new card was saved, but the overdue payment failed. ${error.message}`);
  }
}

/**
 * Emails a customer a link to the page where they can replace their card, with the overdue amount if a payment failed.
 * @throws AppError NOT_FOUND; CONFLICT for an archived user and without a subscription; RATE_LIMITED after 3 such emails
 * an hour.
 */
export async function sendUpdateCardLink(context: Context, userId: string): Promise<User> {
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId);
    assertNotArchived(user);
    const subscription = await findRunningSubscriptionOfUser({ em }, user.id);
    if (!subscription?.providerSubscriptionId) throw conflict("This user has no subscription with a card.");
    await context.rateLimits.take("updateCardEmail", user.id);
    const failed = await findFailedAttempt(em, subscription);
    await emailUser(context, em, user, updateCard, {
      plan: await findPlanName(em, subscription.planPrice),
      cardLast4: subscription.cardLast4,
      overdue: failed && { amountCents: failed.amountCents, reason: failed.reason },
    });
    await recordChange(context, em, {
      action: "send-update-card-link",
      ...aboutUser(user),
      after: { sentTo: user.email },
    });
    return user;
  });
}
