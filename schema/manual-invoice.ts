import { array, boolean, type InferType, object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { isDay } from "./dates.ts";
import { addDays, getCalendarDay, toDayNumber } from "./days.ts";
import { licenceFields } from "./licence.ts";
import { day, END_BEFORE_START } from "./moment.ts";
import { formatAud } from "./money.ts";
import { reportPeriod } from "./report.ts";
import { line, numeric, numericField, paragraphs, textOfList } from "./text.ts";

/** Rules for accepting a quote (docs/domain.md#quotes). */
export const quoteAcceptanceRules = object({
  name: line(100).required("Name is required."),
  role: line(100).required("Role is required."),
  purchaseOrder: line(100),
});
export type QuoteAcceptanceValues = InferType<typeof quoteAcceptanceRules>;

const CONFIRM = "Please confirm that you may accept the quote.";

/** Rules for the form on the page of a quote. The confirmation is form-only. */
export const quoteFormRules = quoteAcceptanceRules.shape({
  mayAccept: boolean().oneOf([true], CONFIRM).required(CONFIRM),
});

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
export const invoiceStatuses = defineList("InvoiceStatus", "The status of an invoice or an adjustment note.", {
  DRAFT: ["draft", "Draft", "An invoice by hand without a number."],
  OPEN: ["open", "Open", "Issued, and not paid in full."],
  OVERDUE: ["overdue", "Overdue", "Open after its due date."],
  PAID: ["paid", "Paid", "Paid in full."],
  REFUNDED: ["refunded", "Refunded", "An adjustment note that refunds an invoice, in full or in part."],
  VOID: ["void", "Void", "An invoice that was cancelled, or the adjustment note that cancels it."],
});
export type InvoiceStatus = ValueOf<typeof invoiceStatuses>;

/** Methods of the payments that staff record. */
export const recordedPaymentMethods = defineList("RecordedPaymentMethod", "How a payment arrived that staff record.", {
  BANK_TRANSFER: ["bank_transfer", "Bank transfer", "By bank transfer."],
  OTHER: ["other", "Other", "In another way, such as by cheque."],
});

/** Ways in which a payment of an invoice by hand arrives. */
export const paymentMethods = defineList("PaymentMethod", "How a payment of an invoice by hand arrived.", [
  ...recordedPaymentMethods,
  { code: "CARD", value: "card", label: "Card", description: "By card in the portal." },
] as const);
export type PaymentMethod = ValueOf<typeof paymentMethods>;

/** Kinds of numbered documents. */
export const documentKinds = defineList("TaxInvoiceKind", "The kind of a numbered document.", {
  INVOICE: ["invoice", "Tax invoice", "A tax invoice."],
  ADJUSTMENT: [
    "adjustment",
    "Adjustment note",
    "An adjustment note, which refunds or cancels an invoice. Its amounts are negative.",
  ],
});
export type DocumentKind = ValueOf<typeof documentKinds>;

/** Causes of a change of a customer's credit. */
export const creditKinds = defineList("CreditKind", "Why the credit of a customer changed.", {
  ADDED: ["added", "Added", "Our staff added it."],
  APPLIED: ["applied", "Applied", "An invoice used it."],
  OVERPAID: ["overpaid", "Overpaid", "A payment was more than the balance."],
  RETURNED: ["returned", "Returned", "An invoice became void, and what was paid for it became credit."],
});
export type CreditKind = ValueOf<typeof creditKinds>;

/** States of a quote for its customer. */
export const quoteStates = defineList("QuoteState", "The state of a quote.", {
  OPEN: ["open", "Open", "The customer can accept it."],
  ACCEPTED: ["accepted", "Accepted", "Accepted, which issued its invoice."],
  EXPIRED: ["expired", "Expired", "Its last day is over."],
  WITHDRAWN: ["withdrawn", "Withdrawn", "A newer quote replaced it, or the draft was changed."],
  CANCELLED: ["cancelled", "Cancelled", "Its invoice became void."],
});
export type QuoteState = ValueOf<typeof quoteStates>;

/** Number of days until an invoice by hand is due, unless staff choose another date. */
export const DUE_DAYS = 14;

/** Maximum number of lines of an invoice by hand. */
export const MAX_INVOICE_LINES = 50;

/** Maximum amount of a line, an invoice, a payment or a credit, in cents. */
export const MAX_INVOICE_CENTS = 100_000_000;

/** Creates a rule for a positive amount of an invoice in cents. */
export const invoiceCents = (required: string) =>
  numeric()
    .typeError("Must be an amount in cents.")
    .integer("Must be a whole number of cents.")
    .min(1, "Must be more than A$0.00.")
    .max(MAX_INVOICE_CENTS, `Must be at most ${formatAud(MAX_INVOICE_CENTS)}.`)
    .required(required);

/** Creates a rule for the key that makes a repeated request return the first result. */
export const requestKey = () =>
  string()
    .typeError("Must be text.")
    .matches(/^[\w-]{16,64}$/, "Must be 16 to 64 letters, digits, hyphens or underscores.")
    .required("A key is required.");

/** Rules for the key of a request without other values. */
export const requestKeyRules = object({ key: requestKey() });

/** Longest service period of a line, in days. */
const MAX_SERVICE_DAYS = 3_660;

const QUANTITY = "Must be a whole number from 1 to 10,000.";

/**
 * Rules for a line of an invoice by hand (docs/domain.md#manual-invoices). Both days are missing if it has no service period,
 * or, for the API, if the period of the licence applies.
 */
export const invoiceLineRules = object({
  description: line(200).required("Description is required."),
  quantity: numericField()
    .typeError(QUANTITY)
    .integer(QUANTITY)
    .min(1, QUANTITY)
    .max(10_000, QUANTITY)
    .required("Quantity is required."),
  unitCents: invoiceCents("Unit price is required."),
  firstDay: day().when("lastDay", ([lastDay], rule) =>
    lastDay ? rule.required("Enter the first day too, or clear the last day.") : rule,
  ),
  lastDay: day()
    .test(
      "both",
      "Enter the last day too, or clear the first day.",
      (lastDay, { parent }) => !parent.firstDay || !!lastDay,
    )
    .test(
      "order",
      "Must not be before the first day.",
      (lastDay, { parent }) => !lastDay || lastDay >= (parent.firstDay ?? ""),
    )
    .test(
      "length",
      "A service period has at most 10 years.",
      (lastDay, { parent }) =>
        !lastDay || !parent.firstDay || toDayNumber(lastDay) - toDayNumber(parent.firstDay) < MAX_SERVICE_DAYS,
    ),
  withoutPeriod: boolean(),
});

/** Rules for the licence that an invoice by hand pays for. */
export const invoicedLicenceRules = object({
  licenceId: line(36),
  productLevel: licenceFields.productLevel.rule,
  numberOfUsers: licenceFields.numberOfUsers.rule,
  numberOfMachines: licenceFields.numberOfMachines.rule,
  until: day().required("Date is required."),
});

/** Rules for an invoice by hand (docs/domain.md#manual-invoices). */
export const manualInvoiceRules = object({
  lines: array(invoiceLineRules)
    .typeError("Must be a list.")
    .min(1, "Add at least one line.")
    .max(MAX_INVOICE_LINES, `Use at most ${MAX_INVOICE_LINES} lines.`)
    .required("Add at least one line."),
  dueDay: day(),
  purchaseOrder: line(100),
  licence: invoicedLicenceRules.default(undefined).optional(),
});
export type ManualInvoiceValues = InferType<typeof manualInvoiceRules>;

/** Rules for a payment that staff record. */
export const receivedPaymentRules = object({
  method: textOfList(recordedPaymentMethods, "Please choose one of the list.").required("Method is required."),
  amountCents: invoiceCents("Amount is required."),
  receivedDay: day().required("Date is required."),
  reference: line(100),
});
export type ReceivedPaymentValues = InferType<typeof receivedPaymentRules>;

/** Rules for a payment of an invoice by card. */
export const cardPaymentRules = object({
  invoiceId: line(100).required("Choose an invoice."),
  paymentMethodId: line(255).nullable(),
  expectedBalanceCents: invoiceCents("Amount is required."),
  key: requestKey(),
});
export type CardPaymentValues = InferType<typeof cardPaymentRules>;

const reason = paragraphs(500, "Must be at most 500 characters.").required("Reason is required.");

/** Rules for a credit that staff add. */
export const creditRules = object({ amountCents: invoiceCents("Amount is required."), reason, isPaid: boolean() });
export type CreditValues = InferType<typeof creditRules>;

/** Rules for the validity of a quote. */
export const quoteRules = object({ validUntil: day().required("Date is required.") });

/** Rules for the reason of an action that undoes money. */
export const reasonRules = object({ reason });

/** Rules for the filter of the list of invoices. Days are in the vendor's time zone. */
export const invoiceFilterRules = object({
  status: textOfList(invoiceStatuses, "Please choose one of the list."),
  from: day(),
  to: day(),
  customer: line(200),
  userId: line(36),
  id: line(36),
  search: line(200),
});
export type InvoiceFilterValues = InferType<typeof invoiceFilterRules>;

/** Rules for the filter panel of the list of invoices. */
export const invoiceFilterFormRules = invoiceFilterRules.pick(["from", "customer"]).shape({
  status: string().oneOf(["", ...listValues(invoiceStatuses)]),
  to: day().test("order", END_BEFORE_START, (to, { parent: { from } }) => !isDay(to) || !isDay(from) || to >= from),
});

/** Body of `POST /v1/reports/download-invoices`. */
export const invoiceReportRules = invoiceFilterRules.omit(["id"]).shape({ format: reportPeriod.format.default("csv") });
