import { array, type InferType, string } from "yup";
import { licenceFields } from "./licence.ts";
import {
  creditRules,
  invoiceLineRules,
  manualInvoiceRules,
  MAX_INVOICE_CENTS,
  receivedPaymentRules,
} from "./manual-invoice.ts";
import { day } from "./moment.ts";
import { formatAud, parseCents } from "./money.ts";
import { numberLine } from "./text.ts";

/** Creates a rule for an amount in dollars as users type it. */
export const typedAmount = (required: string) =>
  numberLine(50)
    .required(required)
    .test("amount", "Must be an amount such as A$50.00.", (value) => !value || parseCents(value) !== null)
    .test("positive", "Must be more than A$0.00.", (value) => parseCents(value ?? "") !== 0)
    .test(
      "limit",
      `Must be at most ${formatAud(MAX_INVOICE_CENTS)}.`,
      (value) => (parseCents(value ?? "") ?? 0) <= MAX_INVOICE_CENTS,
    );

const hasLicence = (licence: unknown) => licence !== "";

/** Rules for the form of an invoice by hand. `licence` is the id of a licence, `new`, or empty. */
export const manualInvoiceFormRules = manualInvoiceRules.pick(["dueDay", "purchaseOrder"]).shape({
  lines: array(
    invoiceLineRules.omit(["unitCents", "withoutPeriod"]).shape({ unitPrice: typedAmount("Unit price is required.") }),
  ).required(),
  licence: string().defined(),
  productLevel: licenceFields.productLevel.rule,
  numberOfUsers: licenceFields.numberOfUsers.rule,
  numberOfMachines: licenceFields.numberOfMachines.rule,
  until: string().when("licence", { is: hasLicence, then: () => day().required("Date is required.") }),
});
export type ManualInvoiceFormValues = InferType<typeof manualInvoiceFormRules>;

/** Rules for the form of a payment received. */
export const receivedPaymentFormRules = receivedPaymentRules
  .omit(["amountCents"])
  .shape({ amount: typedAmount("Amount is required.") });
export type ReceivedPaymentFormValues = InferType<typeof receivedPaymentFormRules>;

/** Rules for the form of a credit. */
export const creditFormRules = creditRules.omit(["amountCents"]).shape({ amount: typedAmount("Amount is required.") });
