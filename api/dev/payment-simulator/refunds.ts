import type { Charge, Dispute, Refund } from "./provider-objects.ts";
import { invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import { DAY_SECONDS } from "./dates.ts";
import { flag, group, metadata, enumeration, range, required, text, integer } from "./parameters.ts";
import { defineListRoute, mergeMetadata, defineGetRoute, defineRoute } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

const REASONS = ["duplicate", "fraudulent", "requested_by_customer"] as const;

/** Routes for refunds and disputes. */
export const refundRoutes = [
  defineRoute(
    "POST",
    "/v1/refunds",
    { charge: text, payment_intent: text, amount: integer, reason: enumeration(...REASONS), metadata },
    async (tx, { params }) => {
      const charge = await findCharge(tx, params);
      const refundable = charge.amount - charge.amount_refunded;
      if (charge.disputed)
        throw invalid(
          `Charge ${charge.id} has been charged back; cannot issue a refund.`,
          undefined,
          "charge_disputed",
        );
      if (refundable === 0)
        throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, "charge_already_refunded");
      const amount = params.amount ?? refundable;
      if (amount < 1) throw invalid("Invalid positive integer", "amount", "parameter_invalid_integer");
      if (amount > refundable)
        throw invalid(
          `Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable})`,
          "amount",
          "amount_too_large",
        );
      charge.amount_refunded += amount;
      charge.refunded = charge.amount_refunded === charge.amount;
      tx.save(charge);
      const refund = tx.save<Refund>({
        id: createId("re"),
        object: "refund",
        created: await tx.now(charge.customer),
        livemode: false,
        metadata: params.metadata ?? {},
        amount,
        charge: charge.id,
        currency: charge.currency,
        customer: charge.customer,
        payment_intent: charge.payment_intent,
        payment_method: charge.payment_method,
        reason: params.reason ?? null,
        receipt_number: null,
        status: "succeeded",
      });
      await tx.emit("refund.created", refund);
      await tx.emit("charge.refunded", charge, { amount_refunded: charge.amount_refunded - amount });
      return refund;
    },
  ),
  defineGetRoute("/v1/refunds", "refund"),
  defineListRoute("/v1/refunds", "refund", { charge: text, payment_intent: text, created: range }),

  defineGetRoute("/v1/disputes", "dispute"),
  defineListRoute("/v1/disputes", "dispute", { charge: text, payment_intent: text, created: range }),
  // As in the provider's test mode, the text of the evidence decides the outcome.
  defineRoute(
    "POST",
    "/v1/disputes/:id",
    { evidence: group({ uncategorized_text: text }), submit: flag, metadata },
    async (tx, { id, params }) => {
      const dispute = await getOpenDispute(tx, id);
      dispute.metadata = mergeMetadata(dispute.metadata, params.metadata);
      const evidence = params.evidence?.uncategorized_text;
      if (evidence !== undefined) {
        dispute.evidence.uncategorized_text = evidence || null;
        dispute.evidence_details.has_evidence = evidence !== "";
      }
      await tx.emit("charge.dispute.updated", tx.save(dispute));
      if (params.submit !== false && evidence === "winning_evidence") await closeDispute(tx, dispute, "won");
      if (params.submit !== false && evidence === "losing_evidence") await closeDispute(tx, dispute, "lost");
      return dispute;
    },
  ),
  defineRoute("POST", "/v1/disputes/:id/close", {}, async (tx, { id }) =>
    closeDispute(tx, await getOpenDispute(tx, id), "lost"),
  ),
  // The provider doesn't have this route.
  defineRoute(
    "POST",
    "/v1/test_helpers/disputes/:id/close",
    { outcome: required(enumeration("won", "lost")) },
    async (tx, { id, params }) => closeDispute(tx, await getOpenDispute(tx, id), params.outcome),
  ),
];

/** Creates a dispute for a charge and withdraws the amount until the dispute is decided. */
export async function createDispute(tx: Transaction, charge: Charge): Promise<void> {
  const created = await tx.now(charge.customer);
  charge.disputed = true;
  charge.sim.disputeAt = null;
  tx.save(charge);
  const dispute = tx.save<Dispute>({
    id: createId("dp"),
    object: "dispute",
    created,
    livemode: false,
    metadata: {},
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    currency: charge.currency,
    evidence: { uncategorized_text: null },
    evidence_details: { due_by: created + 9 * DAY_SECONDS, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: "needs_response",
  });
  await tx.emit("charge.dispute.created", dispute);
  await tx.emit("charge.dispute.funds_withdrawn", dispute);
}

async function findCharge(
  tx: Transaction,
  given: { charge?: string | undefined; payment_intent?: string | undefined },
): Promise<Charge> {
  if ((given.charge === undefined) === (given.payment_intent === undefined))
    throw invalid("One of the following params should be provided for this request: payment_intent or charge.");
  if (given.charge !== undefined) return requirePaidCharge(await tx.get("charge", given.charge, "charge"));
  const intent = await tx.get("payment_intent", given.payment_intent ?? "", "payment_intent");
  if (intent.status !== "succeeded" || !intent.latest_charge)
    throw invalid(
      "This PaymentIntent does not have a successful charge to refund.",
      "payment_intent",
      "payment_intent_unexpected_state",
    );
  return tx.get("charge", intent.latest_charge);
}

function requirePaidCharge(charge: Charge): Charge {
  if (!charge.paid) throw invalid(`Charge ${charge.id} is not paid and cannot be refunded.`, "charge");
  return charge;
}

async function getOpenDispute(tx: Transaction, id: string): Promise<Dispute> {
  const dispute = await tx.get("dispute", id);
  if (dispute.status !== "needs_response") throw invalid("This dispute is already closed.");
  return dispute;
}

async function closeDispute(tx: Transaction, dispute: Dispute, outcome: "won" | "lost"): Promise<Dispute> {
  dispute.status = outcome;
  dispute.evidence_details.submission_count++;
  await tx.emit("charge.dispute.closed", tx.save(dispute));
  if (outcome === "won") await tx.emit("charge.dispute.funds_reinstated", dispute);
  return dispute;
}
