import { object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { documentKinds } from "./manual-invoice.ts";
import { reportPeriod } from "./report.ts";
import { line } from "./text.ts";

/** When GST counts. */
export const taxBases = defineList("TaxBasis", "When GST counts.", {
  ACCRUAL: ["accrual", "Accrual", "When the document is issued."],
  CASH: ["cash", "Cash", "When the money is received or refunded."],
});
export type TaxBasis = ValueOf<typeof taxBases>;

/**
 * Figures of the GST summary (docs/domain.md#gst-summary), whose values are used in URLs. `box` is the label on the business
 * activity statement; null if the statement has none. The statement has no goods to export at G2.
 */
export const taxFigureList = defineList("TaxFigureName", "A figure of the GST summary.", {
  TOTAL_SALES: ["total-sales", "Total sales, including GST", "Total sales, including GST.", { box: "G1" }],
  GST_FREE: [
    "gst-free",
    "GST-free sales: services used outside Australia",
    "GST-free sales, of services used outside Australia.",
    { box: "G3" },
  ],
  GST_ON_SALES: ["gst-on-sales", "GST on sales", "GST on sales.", { box: "1A" }],
  ADJUSTMENTS: [
    "adjustments",
    "Adjustments, including GST",
    "Refunds and other adjustments, including GST. Negative.",
    { box: null },
  ],
  GST_ON_ADJUSTMENTS: [
    "gst-on-adjustments",
    "GST on refunds and other adjustments",
    "GST on refunds and other adjustments. Positive.",
    { box: "1B" },
  ],
  NET_GST: ["net-gst", "GST on sales less adjustments", "GST on sales less GST on adjustments.", { box: null }],
});
export type TaxFigureName = ValueOf<typeof taxFigureList>;
export const taxFigureNames = listValues(taxFigureList);

/** Kinds of rows that a figure adds up. */
export const entryKinds = defineList("TaxEntryKind", "The kind of a row of a figure.", [
  ...documentKinds,
  {
    code: "PAYMENT",
    value: "payment",
    label: "Payment",
    description: "A payment of an invoice by hand, or an attempt to charge a subscription. Only in the revenue report.",
  },
] as const);
export type EntryKind = ValueOf<typeof entryKinds>;

const period = {
  basis: string()
    .oneOf(listValues(taxBases), `Basis must be ${listValues(taxBases).join(" or ")}.`)
    .default("accrual"),
  startDate: reportPeriod.startDate,
  endDate: reportPeriod.endDate,
};

const figure = string().oneOf(taxFigureNames, "This figure doesn't exist.");

/** Rules for the period and basis of a GST summary. */
export const taxSummaryRules = object(period);

/** Rules for the rows of a figure, with search. */
export const taxEntriesRules = object({ ...period, figure: figure.required("Figure is required."), search: line(200) });

/** Body of `POST /v1/reports/download-tax`. Without a figure, the file contains the summary. */
export const taxReportRules = object({ ...period, figure, search: line(200), format: reportPeriod.format });
