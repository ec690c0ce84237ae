import { type InferType, object } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { addressRules } from "./address.ts";
import { emailAddress, line, mapText, numberLine } from "./text.ts";

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/**
 * Checks that a text is a valid Australian Business Number. After subtracting 1 from the first digit, the weighted sum
 * of the eleven digits must be a multiple of 89 (Australian Business Register). Separators are ignored.
 */
export function isAbn(text: string): boolean {
  const digits = cleanNumber(text).replace(/[\s.-]/g, "");
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const sum = abnWeights.reduce((total, weight, place) => {
    const digit = Number(digits[place]) - (place === 0 ? 1 : 0);
    return total + weight * digit;
  }, 0);
  return sum % 89 === 0;
}

/** Returns a valid Australian Business Number as it is stored, `99 999 999 999`; null for another text. */
export function formatAbn(text: string): string | null {
  const digits = cleanNumber(text).replace(/\D/g, "");
  return isAbn(text) ? digits.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4") : null;
}

/** Builds the rule for an optional Australian Business Number, normalised to `99 999 999 999`. */
export const abn = () =>
  numberLine(30)
    .test("abn", "Invalid Australian business number format.", (value) => !value || isAbn(value))
    .transform(mapText((value) => formatAbn(value) ?? value));

/** Rules for the customer details shown on future tax invoices. The profile also contains the company and address. */
export const invoiceDetailsRules = object({ companyName: line(100), abn: abn(), ...addressRules });
export type InvoiceDetailsValues = InferType<typeof invoiceDetailsRules>;

/** Rules for a customer's billing contact (docs/domain.md#billing-contact). */
export const billingContactRules = object({
  name: line(100),
  email: emailAddress("Email is required.").notRequired(),
  secondEmail: emailAddress("Email is required.").notRequired(),
  purchaseOrder: line(100),
});
export type BillingContactValues = InferType<typeof billingContactRules>;
