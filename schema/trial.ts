import { type InferType, number, object } from "yup";
import { moment } from "./moment.ts";
import { staffReason } from "./staff-money.ts";
import { wholeNumber } from "./text.ts";

const emptyToZero = (value: unknown, given: unknown) => (given === "" || given === null ? 0 : value);

/** Creates the rule for a whole number from 0. An empty field means 0. */
const upTo = (most: number) => wholeNumber(0, most).transform(emptyToZero).default(0);

/** Rules for the extension of a trial by staff: days, conversions or both. */
export const extendTrialRules = object({
  days: upTo(90).test(
    "any",
    "Enter days, conversions or both.",
    (days, { parent }) => (days ?? 0) > 0 || Number((parent as { conversions?: unknown }).conversions ?? 0) > 0,
  ),
  conversions: upTo(1_000),
  reason: staffReason(),
});
export type ExtendTrialValues = InferType<typeof extendTrialRules>;

/** Rules for the terms of a trial that its extension starts from. */
export const trialTermsRules = object({
  expiresAt: moment("Expiry date is required."),
  usageLimit: number().nullable(),
});
export type TrialTerms = InferType<typeof trialTermsRules>;
