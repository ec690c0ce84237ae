import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { ProviderInvoice, ProviderSubscription } from "#api/platform/payments/provider-data.ts";

/**
 * Time for which a licence stays valid after the paid period, in milliseconds (docs/domain.md#licence-follows-payment).
 */
export const PAYMENT_GRACE_MS = 3 * DAY;

/**
 * Returns the end of a subscription's licence: the paid time, with the grace period unless the subscription is cancelled, or
 * the later date until which staff extended the licence (docs/domain.md#licence-follows-payment).
 */
export function getLicenceEnd(
  paidUntil: Date,
  {
    isCancelledAtPeriodEnd,
    licenceExtendedUntil,
  }: { readonly isCancelledAtPeriodEnd: boolean; readonly licenceExtendedUntil: Date | null },
): Date {
  const end = isCancelledAtPeriodEnd ? paidUntil : addMilliseconds(paidUntil, PAYMENT_GRACE_MS);
  return licenceExtendedUntil && licenceExtendedUntil > end ? licenceExtendedUntil : end;
}

/** Returns the end of a subscription's paid period, as `paidUntilSql` does. */
export const getPeriodEnd = (of: { readonly paidUntil: Date | null; readonly currentPeriodEndsAt: Date }): Date =>
  of.paidUntil ?? of.currentPeriodEndsAt;

/** A correction to make at the provider after reading its data. */
export type Correction =
  | { readonly kind: "cancel"; readonly subscriptionId: string }
  | { readonly kind: "cancel-at-period-end"; readonly subscriptionId: string }
  | { readonly kind: "withdraw"; readonly subscriptionId: string }
  | { readonly kind: "refund"; readonly subscriptionId: string; readonly invoiceId: string }
  | { readonly kind: "set-gst"; readonly subscriptionId: string; readonly gstBasisPoints: number };

/** Time after a charge within which an archived account is refunded automatically, in milliseconds. */
const AUTO_REFUND_MS = 30 * DAY;

/** Returns true if a payment was taken after the account was archived. */
export function isChargedAfterArchiving(
  { archivedAt }: { readonly archivedAt: Date | null },
  invoice: ProviderInvoice,
) {
  return archivedAt !== null && invoice.status === "paid" && invoice.paidAt !== null && invoice.paidAt > archivedAt;
}

/**
 * Returns the charges to refund because they were made after the account was archived. Skips disputed charges, and
 * charges older than 30 days, which may come from a restored backup. Staff decide about those.
 */
export function findChargesToRefund(
  user: { readonly archivedAt: Date | null },
  invoices: readonly ProviderInvoice[],
  now: Date,
): ProviderInvoice[] {
  return invoices.filter(
    (invoice) =>
      isChargedAfterArchiving(user, invoice) &&
      isRefundable(invoice) &&
      (invoice.paidAt ?? now) > addMilliseconds(now, -AUTO_REFUND_MS),
  );
}

/** Returns true if a card was charged and something of it is left. The provider refuses a refund during a dispute. */
export function isRefundable(invoice: ProviderInvoice): boolean {
  const { status, chargeId, totalCents, dispute } = invoice;
  return status === "paid" && chargeId !== null && totalCents > 0 && dispute !== "open" && !isRefundedOrLost(invoice);
}

/** Returns true if an invoice is to be paid, such as that of a failed renewal. */
export function isUnpaid({ status, dueCents }: ProviderInvoice): boolean {
  return status === "open" && dueCents > 0;
}

/**
 * Returns the end of the paid period, or null. Payments count unless a refund or dispute ends their licence. A pause
 * moves the end (docs/domain.md#pause).
 */
export function getPaidUntil({
  invoices,
  movedUntil,
}: Pick<ProviderSubscription, "invoices" | "movedUntil">): Date | null {
  const ends = invoices
    .filter((invoice) => invoice.status === "paid" && !endsLicence(invoice))
    .flatMap((invoice) => invoice.lines.filter((line) => line.amountCents > 0).map((line) => line.periodEnd.getTime()));
  if (movedUntil) ends.push(movedUntil.getTime());
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** Returns true if a payment was fully refunded or lost in a dispute. */
export function isRefundedOrLost({ totalCents, refunds, dispute }: ProviderInvoice): boolean {
  const refunded = refunds.reduce((all, refund) => all + refund.amountCents, 0);
  return dispute === "lost" || (totalCents > 0 && refunded >= totalCents);
}

/**
 * Returns true if the licence ends because of what happened to a payment: a lost dispute, or a refund. Staff choose
 * what a refund does; without a choice, a full refund ends the licence (docs/domain.md#refunds).
 */
export function endsLicence(invoice: ProviderInvoice): boolean {
  const { dispute, licenceAfterRefund } = invoice;
  if (dispute === "lost") return true;
  return licenceAfterRefund ? licenceAfterRefund === "end" : isRefundedOrLost(invoice);
}
