/** Figures of the revenue report (docs/domain.md#revenue). The names are used in URLs. */
export const moneyFigureNames = [
  "invoiced",
  "revenue",
  "deferred",
  "collected",
  "refunded",
  "failed",
  "recovered",
] as const;
export type MoneyFigureName = (typeof moneyFigureNames)[number];

/** Figures that issued documents decide in advance, so that a forecast has them. */
export const forecastFigureNames: readonly MoneyFigureName[] = ["revenue", "deferred"];

/** Labels of {@link moneyFigureNames}. */
export const moneyFigureLabels: Readonly<Record<MoneyFigureName, string>> = {
  invoiced: "Invoiced",
  revenue: "Revenue",
  deferred: "Deferred",
  collected: "Cash collected",
  refunded: "Refunded",
  failed: "Failed payments",
  recovered: "Recovered",
};

/** Explanations of {@link moneyFigureNames}. */
export const moneyFigureHints: Readonly<Record<MoneyFigureName, string>> = {
  invoiced: "Tax invoices less adjustment notes, without GST, by date of issue.",
  revenue:
    "The part of the invoiced amounts that was earned, without GST, evenly over the days of each service period. A forecast is what issued documents will earn.",
  deferred: "The part of the invoiced amounts that is earned after the period, without GST.",
  collected: "Payments by card and other payments received, including GST.",
  refunded: "Money returned to customers, including GST.",
  failed: "Renewals and changes whose first charge failed, including GST.",
  recovered: "Payments that succeeded after an earlier charge had failed, including GST.",
};
