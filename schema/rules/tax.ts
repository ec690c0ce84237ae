import { number, object, string } from "yup";
import { listValues } from "#schema/closed-list.ts";
import { taxBases, taxFigureNames } from "#schema/tax.ts";
import { reportPeriod } from "./report.ts";
import { line } from "./text.ts";

/** Highest offset a client may request. */
const MAX_OFFSET = 1_000_000;

const period = {
  basis: string()
    .oneOf(listValues(taxBases), `Basis must be ${listValues(taxBases).join(" or ")}.`)
    .default("accrual"),
  startDate: reportPeriod.startDate,
  endDate: reportPeriod.endDate,
};

/** Rules for the period and basis of a GST summary. */
export const taxSummaryRules = object(period);

/** Rules for the rows of a figure, with search and page. */
export const taxEntriesRules = object({
  ...period,
  figure: string().oneOf(taxFigureNames, "This figure doesn't exist.").required("Figure is required."),
  search: line(200),
  offset: number().integer().min(0).max(MAX_OFFSET).default(0),
  limit: number().integer().min(1).max(100).default(20),
});

/** Body of `POST /v1/reports/download-tax`. Without a figure, the file contains the summary. */
export const taxReportRules = object({
  ...period,
  figure: string().oneOf(taxFigureNames, "This figure doesn't exist."),
  search: line(200),
  format: reportPeriod.format,
});
