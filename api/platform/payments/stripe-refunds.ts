import Stripe from "stripe";
import { RefundRefusedError, type Payments } from "./payments.ts";
import { getId } from "./stripe-objects.ts";

/** Explanations of refusals that staff can act on. */
const refusals: Readonly<Record<string, string>> = {
  charge_already_refunded: "The payment has already been refunded.",
  charge_disputed: "The customer disputes the payment with their bank, so it can't be refunded.",
  amount_too_large: "The amount is more than what is left of the payment.",
  insufficient_funds: "The balance at the payment provider is too low for this refund.",
};

/**
 * Refunds an amount of an invoice's payment, unless a refund with the same `refundId` exists. The provider forgets
 * idempotency keys after a day, so the refunds are read first.
 * @returns the provider's id of the refund.
 * @throws RefundRefusedError if the provider refuses or the refund failed.
 */
export async function refundAmount(stripe: Stripe, request: Parameters<Payments["refundAmount"]>[0]): Promise<string> {
  const { amountCents, refundId } = request;
  const intent = "paymentId" in request ? request.paymentId : await findIntent(stripe, request.invoiceId);
  if (!intent) throw new RefundRefusedError("The invoice has no card payment that can be refunded.");
  const { data } = await stripe.refunds.list({ payment_intent: intent, limit: 100 });
  const refund = data.find(({ metadata }) => metadata?.refundId === refundId) ?? (await create());
  if (refund.status === "failed" || refund.status === "canceled")
    throw new RefundRefusedError("The bank returned the refund. Refund the customer in another way.");
  return refund.id;

  async function create(): Promise<Stripe.Refund> {
    const parameters = { payment_intent: intent ?? "", amount: amountCents, metadata: { refundId } };
    try {
      return await stripe.refunds.create(parameters, { idempotencyKey: `refund-${refundId}` });
    } catch (error) {
      const isRefusal =
        error instanceof Stripe.errors.StripeInvalidRequestError && error.code !== "idempotency_key_in_use";
      if (!isRefusal) throw error;
      throw new RefundRefusedError(refusals[error.code ?? ""] ?? "The payment provider refused the refund.");
    }
  }
}

async function findIntent(stripe: Stripe, invoiceId: string): Promise<string | null> {
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ["payments"] });
  const paid = (invoice.payments?.data ?? []).find(({ status }) => status === "paid");
  return getId(paid?.payment.payment_intent);
}
