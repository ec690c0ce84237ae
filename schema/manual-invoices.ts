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

/**
 * Statuses of invoices and adjustment notes in lists, filters and files, with their labels. Overdue is an open invoice after
 * its due date. An adjustment note is refunded, or void if it cancels an invoice.
 */
export const invoiceStatuses = {
  draft: "Draft",
  open: "Open",
  overdue: "Overdue",
  paid: "Paid",
  refunded: "Refunded",
  void: "Void",
} as const;

export type InvoiceStatus = keyof typeof invoiceStatuses;

/** Ways in which a payment arrives, with their labels. Staff record the first two. */
export const paymentMethods = {
  bank_transfer: "Bank transfer",
  other: "Other",
  card: "Card",
} as const;

export type PaymentMethod = keyof typeof paymentMethods;

/** Methods of the payments that staff record. */
export const recordedPaymentMethods = ["bank_transfer", "other"] as const satisfies readonly PaymentMethod[];

/** Number of days until an invoice by hand is due, unless staff choose another date. */
export const DUE_DAYS = 14;

/** Maximum number of lines of an invoice by hand. */
export const MAX_INVOICE_LINES = 50;

/** Maximum amount of a line, an invoice, a payment or a credit, in cents. */
export const MAX_INVOICE_CENTS = 100_000_000;
