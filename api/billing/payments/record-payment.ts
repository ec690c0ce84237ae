import type { PaymentPreview } from "./payment.resolver.ts";
import { getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { formatAud } from "#schema/money.ts";
import type { ReceivedPaymentValues } from "#schema/manual-invoice.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { changeCredit } from "#api/billing/credits/credits.ts";
import { getAuditSubject, lockInvoice, assertCanBeInvoiced } from "#api/billing/invoices/lock-invoice.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { recordEntries, shareGst } from "#api/billing/journal/record-entries.ts";
import { assertOpenDay, toOpenTime } from "#api/billing/period-lock/open-time.ts";
import { settleInvoice } from "#api/billing/invoices/settle-invoice.ts";
import { repeatResult } from "#api/billing/request-key.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inKeyedTransaction } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { ReceivedPayment } from "./payment.entity.ts";

/** Calculates the effect of a payment, for the preview and for recording it. */
export function planPayment(invoice: ManualInvoice, amountCents: number): Omit<PaymentPreview, "isErased"> {
  const balance = getBalanceCents(invoice);
  const appliedCents = Math.min(balance, amountCents);
  return { appliedCents, creditCents: amountCents - appliedCents, balanceCents: balance - appliedCents };
}

/**
 * Records a payment that arrived by bank transfer or in another way (docs/domain.md#received-payments). A partial payment
 * leaves a balance, and what is above the balance becomes credit. A payment in full issues or extends the licence and
 * emails the receipt. A repeated call with the same key returns the first payment.
 * @param expected the balance that staff saw, in cents; another balance is rejected
 * @throws AppError NOT_FOUND; BAD_USER_INPUT for a date in the future or a locked month; CONFLICT for a draft, a void invoice, another
 * balance than expected, for an archived account that can be restored, and as {@link repeatResult}.
 */
export async function recordPayment(
  context: Context,
  invoiceId: string,
  values: ReceivedPaymentValues,
  { key, expected }: { key: string; expected: number },
): Promise<ReceivedPayment> {
  return inKeyedTransaction(context, async (em) => {
    const { invoice, user } = await lockInvoice(em, invoiceId);
    const first = await em.findOne(ReceivedPayment, { key }, { populate: ["invoice", "taxInvoice"] });
    if (first) return repeatPayment(first, invoice, values);
    assertCanBePaid(invoice);
    // A deleted account can't be restored first, and the money has arrived.
    if (!user.deletedAt) assertCanBeInvoiced(user);
    const balance = getBalanceCents(invoice);
    if (balance !== expected)
      throw conflict(
        `The balance changed to ${formatAud(balance)} in the meantime. Check whether the payment was already recorded.`,
      );
    const receivedAt = getStartOfDay(values.receivedDay);
    await assertOpenDay(em, values.receivedDay, "receivedDay");
    if (receivedAt > context.clock.now()) throw badInput({ receivedDay: ["The date can't be in the future."] });
    return applyPayment(context, em, user, invoice, {
      key,
      method: values.method,
      amountCents: values.amountCents,
      receivedAt,
      reference: values.reference || null,
    });
  });
}

function repeatPayment(
  first: ReceivedPayment,
  invoice: ManualInvoice,
  { method, amountCents, receivedDay, reference }: ReceivedPaymentValues,
): ReceivedPayment {
  const isSame =
    first.invoice.id === invoice.id &&
    first.method === method &&
    first.amountCents === amountCents &&
    getCalendarDay(first.receivedAt) === receivedDay &&
    first.reference === (reference || null);
  const recorded = `a payment of ${formatAud(first.amountCents)} for invoice ${first.taxInvoice?.number} was recorded`;
  return repeatResult(first, isSame, recorded);
}

/** @throws AppError CONFLICT for a draft and for a void invoice. */
export function assertCanBePaid({ status }: ManualInvoice): void {
  if (status === "draft") throw conflict("This draft has no number yet. Issue it first.");
  if (status === "void") throw conflict("This invoice is void. Add the amount as credit instead.");
}

/** Writes a payment and its effects, in the transaction of `em`, which must have the lock of `lockInvoice`. */
export async function applyPayment(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: ManualInvoice,
  values: Pick<ReceivedPayment, "key" | "method" | "amountCents" | "receivedAt"> &
    Partial<Pick<ReceivedPayment, "reference" | "providerPaymentId">>,
): Promise<ReceivedPayment> {
  const { appliedCents, creditCents } = planPayment(invoice, values.amountCents);
  const now = context.clock.now();
  const payment = em.create(ReceivedPayment, {
    ...values,
    receivedAt: await toOpenTime(em, values.receivedAt),
    user,
    invoice,
    taxInvoice: invoice.taxInvoice,
    appliedCents,
    creditCents,
    recordedAt: now,
    recordedById: context.actor?.role === "admin" ? context.actor.userId : null,
  });
  const { taxInvoice } = invoice;
  const account = values.method === "card" ? "card" : "bank";
  const gstCents = taxInvoice ? shareGst(taxInvoice, invoice.creditCents + invoice.paidCents, appliedCents) : 0;
  recordEntries(em, {
    event: "Payment",
    at: payment.receivedAt,
    user,
    sourceId: payment.id,
    document: taxInvoice,
    invoice,
    entries: [
      [account, "receivable", appliedCents, gstCents],
      [account, "credit", creditCents],
    ],
  });
  invoice.paidCents += appliedCents;
  changeCredit(context, em, user, {
    kind: "overpaid",
    amountCents: creditCents,
    reason: `Overpayment of invoice ${invoice.taxInvoice?.number}`,
    invoice,
  });
  await recordChange(context, em, {
    action: "record-payment",
    subject: getAuditSubject(invoice),
    userId: user.id,
    after: {
      method: values.method,
      amount: formatAud(values.amountCents),
      credit: formatAud(creditCents),
      receivedAt: values.receivedAt.toISOString(),
      reference: values.reference ?? null,
    },
  });
  await em.flush();
  const licensed = !user.archivedAt && !user.deletedAt;
  const latest = await em.findOneOrFail(
    ReceivedPayment,
    { invoice: invoice.id },
    { orderBy: { receivedAt: "desc", id: "desc" } },
  );
  await settleInvoice(context, em, user, invoice, { paidAt: latest.receivedAt, licensed });
  return payment;
}
