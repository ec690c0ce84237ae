import type Stripe from "stripe";
import type { CardMove } from "./provider-data.ts";
import { getId, toDate } from "./stripe-objects.ts";

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
    if (dispute.status === "lost") add(dispute, { id: `dispute-${chargeId}`, chargeId, cents: -dispute.amount });
  }
  return moves;
}
