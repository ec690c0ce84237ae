import { BELOW_CARD_MINIMUM, formatAud, isBelowCardMinimum } from "#schema/money.ts";
import type { CardPaymentValues } from "#schema/manual-invoice.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { lockInvoice } from "#api/billing/invoices/lock-invoice.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { ensurePaymentCustomer } from "#api/billing/subscriptions/payment-customers.ts";
import type { PaymentOutcome } from "#api/billing/subscriptions/subscribe.ts";
import { CardPayment } from "./card-payment.entity.ts";
import { finishCardPayment } from "./finish-card-payment.ts";

/**
 * Pays the balance of one of the caller's invoices by card, exactly once for each key (docs/domain.md#card-payments).
 * The payment, and the licence that it pays for, are recorded in one transaction after the charge.
 * @throws AppError NOT_FOUND; CONFLICT if nothing is to be paid, a card can't pay so little, the balance isn't the one
 * shown, or another card payment of the invoice is being processed; RATE_LIMITED after 5 payments an hour; UNAVAILABLE if the provider is unreachable.
 * The same request can then be repeated.
 */
export async function payInvoiceByCard(context: Context, values: CardPaymentValues): Promise<PaymentOutcome> {
  const user = await context.em.findOneOrFail(User, context.actor?.userId ?? "");
  const isOwn =
    isUuid(values.invoiceId) && (await context.em.count(ManualInvoice, { id: values.invoiceId, user: user.id }));
  if (!isOwn) throw notFound();
  const customerId = await ensurePaymentCustomer(context, user);
  const started = await startPayment(context, user.id, values);
  if (started.kind === "go-on") return finishCardPayment(context, started.payment.id, { charges: true });
  // The customer left the bank's dialog and tries again. The earlier payment must not be charged any more.
  await context.payments.cancelCardPayment({ customerId, paymentId: started.payment.id });
  const earlier = await finishCardPayment(context, started.payment.id);
  if (earlier.state === "done") return earlier;
  const again = await startPayment(context, user.id, values);
  if (again.kind === "go-on") return finishCardPayment(context, again.payment.id, { charges: true });
  throw inProgress();
}

/** Returns the outcome of the caller's card payment after they have authenticated with the bank. @throws AppError NOT_FOUND. */
export async function completeCardPayment(context: Context, id: string): Promise<PaymentOutcome> {
  const owner = context.actor?.userId ?? "";
  const payment = isUuid(id) ? await context.em.findOne(CardPayment, { id, user: owner }) : null;
  if (!payment) throw notFound();
  return finishCardPayment(context, id);
}

async function startPayment(
  context: Context,
  userId: string,
  { invoiceId, paymentMethodId, expectedBalanceCents, key }: CardPaymentValues,
): Promise<{ kind: "go-on" | "withdraw-first"; payment: CardPayment }> {
  return inTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, invoiceId);
    if (invoice.status === "draft") throw notFound();
    const known = await em.findOne(CardPayment, { key }, { refresh: true });
    if (known && (known.invoice.id !== invoice.id || known.user.id !== userId))
      throw new AppError("CONFLICT", { message: "This key was used for another payment." });
    if (known) return { kind: "go-on", payment: known };
    const waiting = await em.findOne(CardPayment, {
      invoice: invoice.id,
      state: { $in: ["pending", "needs_authentication"] },
    });
    if (waiting?.state === "needs_authentication") return { kind: "withdraw-first", payment: waiting };
    if (waiting) throw inProgress();
    const balance = getBalanceCents(invoice);
    if (balance === 0) throw new AppError("CONFLICT", { message: "Nothing is left to pay on this invoice." });
    if (balance !== expectedBalanceCents)
      throw new AppError("CONFLICT", {
        message: `The amount due is now ${formatAud(balance)}. Reload the page and check it before you pay.`,
      });
    if (isBelowCardMinimum(balance)) throw new AppError("CONFLICT", { message: BELOW_CARD_MINIMUM });
    await context.rateLimits.take("paymentDetails", userId);
    const payment = em.create(CardPayment, {
      key,
      user,
      invoice,
      amountCents: balance,
      paymentMethodId: paymentMethodId ?? null,
      state: "pending",
      createdAt: context.clock.now(),
    });
    await em.flush();
    return { kind: "go-on", payment };
  });
}

function inProgress(): AppError {
  return new AppError("CONFLICT", {
    message: "A card payment of this invoice is already being processed. Wait a moment, then reload the page.",
  });
}
