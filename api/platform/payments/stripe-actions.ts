import { formatAud } from "#schema/money.ts";
import { MINUTE, SECOND, toEpochSeconds } from "#api/platform/clock.ts";
import { type Payments, RefundRefusedError } from "./payments.ts";
import { voidLatestInvoice } from "./stripe-operations.ts";
import { getId, toDate } from "./stripe-objects.ts";
import { type Loaded, releaseSchedule } from "./stripe-schedules.ts";
import { type CardMove, getDisputeId } from "./provider-data.ts";
import Stripe from "stripe";

/** Least paid time that is left after a pause, in seconds. The provider refuses a period that ends immediately. */
const MIN_LEFT_SECONDS = (5 * MINUTE) / SECOND;

/** Pauses a subscription, as `Payments.pauseSubscription` describes. */
export async function pauseSubscription(
  stripe: Stripe,
  { subscription, item }: Loaded,
  { until, now, voidsUnpaid }: Parameters<Payments["pauseSubscription"]>[0],
): Promise<boolean> {
  const resumesAt = toEpochSeconds(until);
  if (subscription.pause_collection?.resumes_at === resumesAt) return true;
  const isPaid = await hasPaidPeriod(stripe, subscription, voidsUnpaid);
  if (isPaid === null) return false;
  const left = Math.max(isPaid ? getSecondsLeft({ subscription, item }, now) : 0, MIN_LEFT_SECONDS);
  await releaseSchedule(stripe, subscription);
  await stripe.subscriptions.update(subscription.id, {
    pause_collection: { behavior: "void", resumes_at: resumesAt },
    ...moveEndTo(resumesAt + left),
  });
  return true;
}

/** Ends a pause, as `Payments.endPause` describes. */
export async function endPause(stripe: Stripe, loaded: Loaded, now: Date): Promise<void> {
  const { subscription } = loaded;
  const resumesAt = subscription.pause_collection?.resumes_at;
  if (!resumesAt) return;
  await releaseSchedule(stripe, subscription);
  const isOver = resumesAt <= toEpochSeconds(now);
  const end = toEpochSeconds(now) + Math.max(getSecondsLeft(loaded, now), MIN_LEFT_SECONDS);
  await stripe.subscriptions.update(subscription.id, { pause_collection: "", ...(isOver ? {} : moveEndTo(end)) });
}

/** Returns whether the current period is paid; null if its invoice can still be paid. Voids an open one if allowed. */
async function hasPaidPeriod(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  voids: boolean,
): Promise<boolean | null> {
  // The end of an earlier pause moved the paid time.
  if (subscription.status === "trialing") return true;
  const latest = getId(subscription.latest_invoice);
  const status = latest ? (await stripe.invoices.retrieve(latest)).status : "paid";
  if (status === "paid") return true;
  if (status === "void" || status === "uncollectible") return false;
  return status === "open" && voids && (await voidLatestInvoice(stripe, subscription)) ? false : null;
}

/** Returns the seconds from now, or from the end of a pause, to the end of the period. */
function getSecondsLeft({ subscription, item }: Loaded, now: Date): number {
  const from = Math.max(toEpochSeconds(now), subscription.pause_collection?.resumes_at ?? 0);
  return Math.max(0, item.current_period_end - from);
}

/** Moves the end of a paid period with a trial, which is neither charged nor credited. The next payment is due then. */
function moveEndTo(end: number): Pick<Stripe.SubscriptionUpdateParams, "trial_end" | "proration_behavior"> {
  return { trial_end: end, proration_behavior: "none" };
}

/** Reads what cards moved from the provider. Times are in seconds since 1970. See `Payments.listCardMoves`. */
export async function listCardMoves(stripe: Stripe, since: number, disputedSince: number): Promise<CardMove[]> {
  const moves: CardMove[] = [];
  const add = (
    one: Stripe.Charge | Stripe.Refund | Stripe.Dispute,
    values: Pick<CardMove, "id" | "chargeId" | "cents">,
  ) =>
    moves.push({
      paymentId: getId(one.payment_intent),
      customerId: one.object === "charge" ? getId(one.customer) : null,
      at: toDate(one.created),
      isRefunded: one.object === "charge" && one.refunded,
      ...values,
    });
  const query = { created: { gte: since }, limit: 100 };
  for await (const charge of stripe.charges.list(query))
    if (charge.paid) add(charge, { id: charge.id, chargeId: charge.id, cents: charge.amount });
  for await (const refund of stripe.refunds.list(query))
    if (refund.status === "succeeded")
      add(refund, { id: refund.id, chargeId: getId(refund.charge), cents: -refund.amount });
  for await (const dispute of stripe.disputes.list({ created: { gte: disputedSince }, limit: 100 })) {
    const chargeId = getId(dispute.charge);
    if (dispute.status === "lost") add(dispute, { id: getDisputeId(chargeId), chargeId, cents: -dispute.amount });
  }
  return moves;
}

/** Explanations of refusals that staff can act on. */
const refusals: Readonly<Record<string, string>> = {
  charge_already_refunded: "The payment has already been refunded.",
  charge_disputed: "The customer disputes the payment with their bank, so it can't be refunded.",
  amount_too_large: "The amount is more than what is left of the payment.",
  insufficient_funds: "The balance at the payment provider is too low for this refund.",
};

/**
 * Refunds an amount of an invoice's payment, unless a refund with the same `refundId` exists. The provider forgets
 * idempotency keys after a day, so the refunds are read first. Moves no money if the bank took exactly this amount back.
 * @returns the provider's id of the refund, or the one of the lost dispute as `CardMove` has it; null while the refund is pending.
 * @throws RefundRefusedError if the provider refuses or the refund failed.
 */
export async function refundAmount(
  stripe: Stripe,
  request: Parameters<Payments["refundAmount"]>[0],
): Promise<string | null> {
  const { amountCents, refundId } = request;
  const intent = "paymentId" in request ? request.paymentId : await findIntent(stripe, request.invoiceId);
  if (!intent) throw new RefundRefusedError("The invoice has no card payment that can be refunded.");
  const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
  const parameters = { payment_intent: intent, amount: amountCents, metadata: { refundId } };
  try {
    const refund =
      data.find(({ metadata }) => metadata?.refundId === refundId) ??
      (await stripe.refunds.create(parameters, { idempotencyKey: `refund-${refundId}` }));
    if (refund.status !== "failed" && refund.status !== "canceled")
      return refund.status === "succeeded" ? refund.id : null;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const lost = error.code === "charge_disputed" ? await findLostDispute(stripe, intent) : null;
    if (lost?.cents === amountCents) return lost.id;
    const refusal = refusals[error.code ?? ""] ?? "The payment provider refused the refund.";
    throw new RefundRefusedError(
      lost ? `The bank took ${formatAud(lost.cents)} back. Refund exactly this amount to record it.` : refusal,
    );
  }
  throw new RefundRefusedError("The bank returned the refund. Refund the customer in another way.");
}

/** Returns what the bank took back of a payment in a lost dispute, with the id that `CardMove` has; null otherwise. */
async function findLostDispute(stripe: Stripe, intent: string): Promise<Pick<CardMove, "id" | "cents"> | null> {
  const charge = getId((await stripe.paymentIntents.retrieve(intent)).latest_charge);
  const [dispute] = charge ? (await stripe.disputes.list({ charge, limit: 1 })).data : [];
  return dispute?.status === "lost" ? { id: getDisputeId(charge), cents: dispute.amount } : null;
}

async function findIntent(stripe: Stripe, invoiceId: string): Promise<string | null> {
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] });
  const paid = (invoice.payments?.data ?? []).find(({ status }) => status === "paid");
  return getId(paid?.payment.payment_intent);
}
