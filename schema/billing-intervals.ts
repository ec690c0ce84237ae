import { defineList, type ListEntry } from "./closed-list.ts";
import type { PlanInterval } from "./plan-catalogue.ts";

/** Billing intervals of a plan price. Separate from the plan catalogue, so that public pages don't load the texts. */
export const billingIntervals = defineList("BillingInterval", "How often a plan price is charged.", [
  { code: "MONTHLY", value: "monthly", label: "Monthly", description: "Every month." },
  { code: "YEARLY", value: "yearly", label: "Yearly", description: "Every year." },
] as const satisfies readonly ListEntry<PlanInterval>[]);
