import { type InferType, number, object, string } from "yup";
import { line, paragraphs } from "./text.ts";

/** Creates the rule for the reason that staff give for a change to a customer's money. */
export const staffReason = () =>
  paragraphs(500, "The reason must be at most 500 characters.")
    .required("Enter a reason.")
    .min(3, "Enter a reason of at least 3 characters.");

/** Creates the rule for the key that makes a repeated request return the first result. */
export const requestKey = () => string().uuid("Must be a UUID.").required("A key is required.");

/** Rules for a refund by staff. Amounts are in cents including GST. */
export const refundRules = object({
  invoiceId: line(100).required("Choose an invoice."),
  amountCents: number().typeError("Must be a number.").integer("Must be a whole number of cents."),
  remainingCents: number().typeError("Must be a number.").integer("Must be a whole number of cents."),
  licence: string(),
  reason: staffReason(),
  key: requestKey(),
});
export type RefundValues = InferType<typeof refundRules>;
