import { type InferType, object } from "yup";
import { emailAddress, line } from "#schema/text.ts";

/** Rules for a customer's billing contact (docs/domain.md#billing-contact). */
export const billingContactRules = object({
  name: line(100),
  email: emailAddress("Email is required.").notRequired(),
  secondEmail: emailAddress("Email is required.").notRequired(),
  purchaseOrder: line(100),
});
export type BillingContactValues = InferType<typeof billingContactRules>;
