import { object, string } from "yup";
import { listValues } from "#schema/closed-list.ts";
import { taxBases, taxFigureNames } from "#schema/tax.ts";
import { reportPeriod } from "#schema/report.ts";
import { line } from "#schema/text.ts";

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
