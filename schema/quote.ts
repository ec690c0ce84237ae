import { boolean, type InferType, object } from "yup";
import { line } from "./text.ts";

/** Rules for accepting a quote (docs/domain.md#quotes). */
export const quoteAcceptanceRules = object({
  name: line(100).required("Name is required."),
  role: line(100).required("Role is required."),
  purchaseOrder: line(100),
});
export type QuoteAcceptanceValues = InferType<typeof quoteAcceptanceRules>;

const CONFIRM = "Please confirm that you may accept the quote.";

/** Rules for the form on the page of a quote. The confirmation is form-only. */
export const quoteFormRules = quoteAcceptanceRules.concat(
  object({ mayAccept: boolean().oneOf([true], CONFIRM).required(CONFIRM) }),
);
