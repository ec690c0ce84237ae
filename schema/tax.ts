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
export const taxFigureList = defineList("TaxFigureName", "A figure of the GST summary.", [
  {
    code: "TOTAL_SALES",
    value: "total-sales",
    box: "G1",
    label: "Total sales, including GST",
    description: "Total sales, including GST.",
  },
  {
    code: "GST_FREE",
    value: "gst-free",
    box: "G3",
    label: "GST-free sales: services used outside Australia",
    description: "GST-free sales, of services used outside Australia.",
  },
  { code: "GST_ON_SALES", value: "gst-on-sales", box: "1A", label: "GST on sales", description: "GST on sales." },
  {
    code: "ADJUSTMENTS",
    value: "adjustments",
    box: null,
    label: "Adjustments, including GST",
    description: "Refunds and other adjustments, including GST. Negative.",
  },
  {
    code: "GST_ON_ADJUSTMENTS",
    value: "gst-on-adjustments",
    box: "1B",
    label: "GST on refunds and other adjustments",
    description: "GST on refunds and other adjustments. Positive.",
  },
  {
    code: "NET_GST",
    value: "net-gst",
    box: null,
    label: "GST on sales less adjustments",
    description: "GST on sales less GST on adjustments.",
  },
] as const);
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

/** Rules for the period and basis of a GST summary. */
export const taxSummaryRules = object(period);

/** Rules for the rows of a figure, with search. */
export const taxEntriesRules = object({
  ...period,
  figure: string().oneOf(taxFigureNames, "This figure doesn't exist.").required("Figure is required."),
  search: line(200),
});

/** Body of `POST /v1/reports/download-tax`. Without a figure, the file contains the summary. */
export const taxReportRules = object({
  ...period,
  figure: string().oneOf(taxFigureNames, "This figure doesn't exist."),
  search: line(200),
  format: reportPeriod.format,
});
