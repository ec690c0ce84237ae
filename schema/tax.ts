/** When GST counts: `accrual` when the document is issued, `cash` when the money is received or refunded. */
export const taxBases = ["accrual", "cash"] as const;
export type TaxBasis = (typeof taxBases)[number];

/** Labels of {@link taxBases}. */
export const taxBasisLabels: Readonly<Record<TaxBasis, string>> = { accrual: "Accrual", cash: "Cash" };

/** Figures of the GST summary (docs/domain.md#gst-summary). The names are used in URLs. */
export const taxFigureNames = [
  "total-sales",
  "gst-free",
  "gst-on-sales",
  "adjustments",
  "gst-on-adjustments",
  "net-gst",
] as const;
export type TaxFigureName = (typeof taxFigureNames)[number];

/**
 * Label of a figure on the business activity statement, and in words. The statement has no goods to export at G2
 * (docs/domain.md#gst-summary).
 */
export interface TaxFigureText {
  /** Label on the business activity statement; null if the statement has none. */
  readonly code: string | null;
  readonly label: string;
}

/** Texts of {@link taxFigureNames}. */
export const taxFigureTexts: Readonly<Record<TaxFigureName, TaxFigureText>> = {
  "total-sales": { code: "G1", label: "Total sales, including GST" },
  "gst-free": { code: "G3", label: "GST-free sales: services used outside Australia" },
  "gst-on-sales": { code: "1A", label: "GST on sales" },
  adjustments: { code: null, label: "Adjustments, including GST" },
  "gst-on-adjustments": { code: "1B", label: "GST on refunds and other adjustments" },
  "net-gst": { code: null, label: "GST on sales less adjustments" },
};
