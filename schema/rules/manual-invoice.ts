import { array, boolean, type InferType, number, object, string } from "yup";
import { listValues } from "#schema/closed-list.ts";
import { licenceFields } from "#schema/licence.ts";
import {
  invoiceStatuses,
  MAX_INVOICE_CENTS,
  MAX_INVOICE_LINES,
  recordedPaymentMethods,
} from "#schema/manual-invoices.ts";
import { toDayNumber } from "#schema/days.ts";
import { formatAud } from "#schema/money.ts";
import { day } from "#schema/moment.ts";
import { line, paragraphs } from "#schema/text.ts";

/** Creates a rule for a positive amount in cents. */
const cents = (required: string) =>
  number()
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

/**
 * Rules for the service period of a line (docs/domain.md#manual-invoices). Both days are missing if the line has none, or,
 * for the API, if the period of the licence applies.
 */
export const servicePeriodRules = {
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
};

/** Rules for a line of an invoice by hand. */
export const invoiceLineRules = object({
  description: line(200).required("Description is required."),
  quantity: number()
    .typeError("Must be a number.")
    .integer("Must be a whole number.")
    .min(1, "Must be at least 1.")
    .max(10_000, "Must be at most 10,000.")
    .required("Quantity is required."),
  unitCents: cents("Unit price is required."),
  ...servicePeriodRules,
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
  method: string()
    .oneOf(listValues(recordedPaymentMethods), "Please choose one of the list.")
    .meta({ list: () => recordedPaymentMethods })
    .required("Method is required."),
  amountCents: cents("Amount is required."),
  receivedDay: day().required("Date is required."),
  reference: line(100),
});
export type ReceivedPaymentValues = InferType<typeof receivedPaymentRules>;

/** Rules for a payment of an invoice by card. */
export const cardPaymentRules = object({
  invoiceId: line(100).required("Choose an invoice."),
  paymentMethodId: line(255).nullable(),
  expectedBalanceCents: cents("Amount is required."),
  key: requestKey(),
});
export type CardPaymentValues = InferType<typeof cardPaymentRules>;

/** Rules for a credit that staff add. */
export const creditRules = object({
  amountCents: cents("Amount is required."),
  reason: paragraphs(500, "Must be at most 500 characters.").required("Reason is required."),
  isPaid: boolean(),
});
export type CreditValues = InferType<typeof creditRules>;

/** Rules for the validity of a quote. */
export const quoteRules = object({ validUntil: day().required("Date is required.") });

/** Rules for the reason of an action that undoes money. */
export const reasonRules = object({
  reason: paragraphs(500, "Must be at most 500 characters.").required("Reason is required."),
});

/** Rules for the filter of the list of invoices. Days are in the vendor's time zone. */
export const invoiceFilterRules = object({
  status: string()
    .oneOf(listValues(invoiceStatuses), "Please choose one of the list.")
    .meta({ list: () => invoiceStatuses }),
  from: day(),
  to: day(),
  customer: line(200),
  userId: line(36),
  search: line(200),
});
export type InvoiceFilterValues = InferType<typeof invoiceFilterRules>;

/** Rules for the filter panel of the list of invoices. */
export const invoiceFilterFormRules = invoiceFilterRules
  .pick(["from", "to", "customer"])
  .shape({ status: string().oneOf(["", ...listValues(invoiceStatuses)]) });

/** Body of `POST /v1/reports/download-invoices`. */
export const invoiceReportRules = invoiceFilterRules.shape({
  format: string<"xlsx" | "csv">().oneOf(["xlsx", "csv"], "Format must be xlsx or csv.").default("csv"),
});
