import { defineList, listValues, type ValueOf } from "./closed-list.ts";

/** Figures of the revenue report (docs/domain.md#revenue), whose values are used in URLs. */
export const moneyFigureList = defineList("MoneyFigureName", "A figure of the revenue report.", [
  {
    code: "INVOICED",
    value: "invoiced",
    label: "Invoiced",
    description: "Tax invoices less adjustment notes, without GST, by date of issue.",
  },
  {
    code: "REVENUE",
    value: "revenue",
    label: "Revenue",
    description:
      "The part of the invoiced amounts that was earned, without GST, evenly over the days of each service period. A forecast is what issued documents will earn.",
  },
  {
    code: "DEFERRED",
    value: "deferred",
    label: "Deferred",
    description: "The part of the invoiced amounts that is earned after the period, without GST.",
  },
  {
    code: "COLLECTED",
    value: "collected",
    label: "Cash collected",
    description: "Payments by card and other payments received, including GST.",
  },
  {
    code: "REFUNDED",
    value: "refunded",
    label: "Refunded",
    description: "Money returned to customers, including GST.",
  },
  {
    code: "FAILED",
    value: "failed",
    label: "Failed payments",
    description: "Renewals and changes whose first charge failed, including GST.",
  },
  {
    code: "RECOVERED",
    value: "recovered",
    label: "Recovered",
    description: "Payments that succeeded after an earlier charge had failed, including GST.",
  },
] as const);
export type MoneyFigureName = ValueOf<typeof moneyFigureList>;
export const moneyFigureNames = listValues(moneyFigureList);

/** Figures that issued documents decide in advance, so that a forecast has them. */
export const forecastFigureNames: readonly MoneyFigureName[] = ["revenue", "deferred"];
