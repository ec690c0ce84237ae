import { invalid, enumeration, integer, metadata, required, text } from "./parameters.ts";
import type { Charge } from "./objects.ts";
import { listRoute, route, createdSince } from "./routes.ts";
import type { Transaction } from "./transaction.ts";

/** Routes for refunds and disputes. */
export const refundRoutes = [
  route(
    "POST /v1/refunds",
    { payment_intent: required(text), amount: integer, metadata },
    async (tx, { metadata: given = {}, ...params }) => {
      const intent = await tx.get("payment_intent", params.payment_intent, "payment_intent");
      if (intent.status !== "succeeded" || !intent.latest_charge) {
        const message = "This PaymentIntent does not have a successful charge to refund.";
        throw invalid(message, "payment_intent", "payment_intent_unexpected_state");
      }
      const charge = await tx.get("charge", intent.latest_charge);
      const { id, customer, payment_intent } = charge;
      const refundable = charge.amount - charge.amount_refunded;
      const amount = params.amount ?? refundable;
      if (charge.disputed)
        throw invalid(`Charge ${id} has been charged back; cannot issue a refund.`, undefined, "charge_disputed");
      if (refundable === 0)
        throw invalid(`Charge ${id} has already been refunded.`, undefined, "charge_already_refunded");
      if (amount < 1) throw invalid("Invalid positive integer", "amount", "parameter_invalid_integer");
      if (amount > refundable) {
        const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${refundable})`;
        throw invalid(message, "amount", "amount_too_large");
      }
      const refund = tx.create("refund", {
        amount,
        charge: id,
        customer,
        payment_intent,
        metadata: given,
        status: "succeeded",
      });
      tx.save(charge, { amount_refunded: charge.amount_refunded + amount, refunded: amount === refundable });
      tx.emit("refund.created", refund);
      tx.emit("charge.refunded", charge);
      return refund;
    },
  ),
  listRoute("/v1/refunds", "refund", { charge: text, payment_intent: text, created: createdSince }),

  listRoute("/v1/disputes", "dispute", { charge: text, created: createdSince }),
  // The provider doesn't have this route.
  route(
    "POST /v1/test_helpers/disputes/:id/close",
    { outcome: required(enumeration("won", "lost")) },
    async (tx, { outcome }, id) => {
      const dispute = await tx.get("dispute", id);
      if (dispute.status !== "needs_response") throw invalid("This dispute is already closed.");
      tx.emit("charge.dispute.closed", tx.save(dispute, { status: outcome }));
      if (outcome === "won") tx.emit("charge.dispute.funds_reinstated", dispute);
      return dispute;
    },
  ),
];

/** Creates a dispute for a charge and withdraws the amount until the dispute is decided. */
export function createDispute(tx: Transaction, charge: Charge): void {
  charge.sim.disputeAt = null;
  tx.save(charge, { disputed: true });
  const dispute = tx.create("dispute", {
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    status: "needs_response",
  });
  tx.emit("charge.dispute.created", dispute);
  tx.emit("charge.dispute.funds_withdrawn", dispute);
}
