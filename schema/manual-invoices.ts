import { defineList, type ValueOf } from "./closed-list.ts";
import { addDays, getCalendarDay } from "./days.ts";

/** First and last day of a service, `YYYY-MM-DD` in the vendor's time zone. */
export interface ServiceDays {
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * Returns the service period that is suggested for a line with a licence: from the day after the licence's present end, or
 * from today for a new or expired licence, until its new end. Null if that is earlier.
 */
export function suggestServiceDays(
  licence: { readonly expiresAt: Date | string } | null,
  until: string,
  now: Date,
): ServiceDays | null {
  const today = getCalendarDay(now);
  // The end of a licence is the end of a day in UTC.
  const next = licence ? addDays(getCalendarDay(new Date(licence.expiresAt), "UTC"), 1) : today;
  const firstDay = next > today ? next : today;
  return until < firstDay ? null : { firstDay, lastDay: until };
}

/** Statuses of invoices and adjustment notes in lists, filters and files. */
export const invoiceStatuses = defineList("InvoiceStatus", "The status of an invoice or an adjustment note.", [
  { code: "DRAFT", value: "draft", label: "Draft", description: "An invoice by hand without a number." },
  { code: "OPEN", value: "open", label: "Open", description: "Issued, and not paid in full." },
  { code: "OVERDUE", value: "overdue", label: "Overdue", description: "Open after its due date." },
  { code: "PAID", value: "paid", label: "Paid", description: "Paid in full." },
  {
    code: "REFUNDED",
    value: "refunded",
    label: "Refunded",
    description: "An adjustment note that refunds an invoice, in full or in part.",
  },
  {
    code: "VOID",
    value: "void",
    label: "Void",
    description: "An invoice that was cancelled, or the adjustment note that cancels it.",
  },
] as const);
export type InvoiceStatus = ValueOf<typeof invoiceStatuses>;

/** Methods of the payments that staff record. */
export const recordedPaymentMethods = defineList("RecordedPaymentMethod", "How a payment arrived that staff record.", [
  { code: "BANK_TRANSFER", value: "bank_transfer", label: "Bank transfer", description: "By bank transfer." },
  { code: "OTHER", value: "other", label: "Other", description: "In another way, such as by cheque." },
] as const);

/** Ways in which a payment of an invoice by hand arrives. */
export const paymentMethods = defineList("PaymentMethod", "How a payment of an invoice by hand arrived.", [
  ...recordedPaymentMethods,
  { code: "CARD", value: "card", label: "Card", description: "By card in the portal." },
] as const);
export type PaymentMethod = ValueOf<typeof paymentMethods>;

/** Kinds of numbered documents. */
export const documentKinds = defineList("TaxInvoiceKind", "The kind of a numbered document.", [
  { code: "INVOICE", value: "invoice", label: "Tax invoice", description: "A tax invoice." },
  {
    code: "ADJUSTMENT",
    value: "adjustment",
    label: "Adjustment note",
    description: "An adjustment note, which refunds or cancels an invoice. Its amounts are negative.",
  },
] as const);
export type DocumentKind = ValueOf<typeof documentKinds>;

/** Causes of a change of a customer's credit. */
export const creditKinds = defineList("CreditKind", "Why the credit of a customer changed.", [
  { code: "ADDED", value: "added", label: "Added", description: "Our staff added it." },
  { code: "APPLIED", value: "applied", label: "Applied", description: "An invoice used it." },
  { code: "OVERPAID", value: "overpaid", label: "Overpaid", description: "A payment was more than the balance." },
  {
    code: "RETURNED",
    value: "returned",
    label: "Returned",
    description: "An invoice became void, and what was paid for it became credit.",
  },
] as const);
export type CreditKind = ValueOf<typeof creditKinds>;

/** States of a quote for its customer. */
export const quoteStates = defineList("QuoteState", "The state of a quote.", [
  { code: "OPEN", value: "open", label: "Open", description: "The customer can accept it." },
  { code: "ACCEPTED", value: "accepted", label: "Accepted", description: "Accepted, which issued its invoice." },
  { code: "EXPIRED", value: "expired", label: "Expired", description: "Its last day is over." },
  { code: "WITHDRAWN", value: "withdrawn", label: "Withdrawn", description: "A newer quote replaced it." },
  { code: "CANCELLED", value: "cancelled", label: "Cancelled", description: "Its invoice became void." },
] as const);
export type QuoteState = ValueOf<typeof quoteStates>;

/** Number of days until an invoice by hand is due, unless staff choose another date. */
export const DUE_DAYS = 14;

/** Maximum number of lines of an invoice by hand. */
export const MAX_INVOICE_LINES = 50;

/** Maximum amount of a line, an invoice, a payment or a credit, in cents. */
export const MAX_INVOICE_CENTS = 100_000_000;
