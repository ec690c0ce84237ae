import { type InferType, object, string } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { isDay } from "./dates.ts";
import { reportPeriod } from "./report.ts";
import { line, mapText } from "./text.ts";

/** Figures of the revenue report (docs/domain.md#revenue), whose values are used in URLs. */
export const moneyFigureList = defineList("MoneyFigureName", "A figure of the revenue report.", {
  INVOICED: ["invoiced", "Invoiced", "Tax invoices less adjustment notes, without GST, by date of issue."],
  REVENUE: [
    "revenue",
    "Revenue",
    "The part of the invoiced amounts that was earned, without GST, evenly over the days of each service period. A forecast is what issued documents will earn.",
  ],
  DEFERRED: ["deferred", "Deferred", "The part of the invoiced amounts that is earned after the period, without GST."],
  COLLECTED: ["collected", "Cash collected", "Payments by card and other payments received, including GST."],
  REFUNDED: ["refunded", "Refunded", "Money returned to customers, including GST."],
  FAILED: ["failed", "Failed payments", "Renewals and changes whose first charge failed, including GST."],
  RECOVERED: ["recovered", "Recovered", "Payments that succeeded after an earlier charge had failed, including GST."],
});
export type MoneyFigureName = ValueOf<typeof moneyFigureList>;
export const moneyFigureNames = listValues(moneyFigureList);

/** Figures that issued documents decide in advance, so that a forecast has them. */
export const forecastFigureNames: readonly MoneyFigureName[] = ["revenue", "deferred"];

const DAY = "Must be a day (YYYY-MM-DD).";
/** Longest period of the report, in months. */
const MAX_MONTHS = 120;

const day = (required: string) =>
  string()
    .transform(mapText(cleanNumber))
    .required(required)
    .matches(/^\d{4}-\d\d-\d\d$/, DAY)
    .test("day", DAY, (text) => !text || isDay(text));

const toMonth = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));

const period = {
  startDate: day("Start date is required."),
  endDate: day("End date is required.").when("startDate", ([start], rule) =>
    typeof start === "string"
      ? rule
          .test("order", "End date must not be before the start date.", (end) => end >= start)
          .test("length", `At most ${MAX_MONTHS} months.`, (end) => toMonth(end) - toMonth(start) < MAX_MONTHS)
      : rule,
  ),
};

const figure = string().oneOf(moneyFigureNames, "This figure doesn't exist.");

/** Rules for the period of the revenue report. */
export const moneyReportRules = object(period);

/** Rules for the rows of a figure, with search. */
export const moneyEntriesRules = object({
  ...period,
  figure: figure.required("Figure is required."),
  search: line(200),
});

/** Body of `POST /v1/reports/download-revenue`. Without a figure, the file contains the months. */
export const moneyFileRules = object({ ...period, figure, search: line(200), format: reportPeriod.format });

/** Formats of a customer's statement. */
export const statementFormats = defineList("StatementFormat", "The format of a customer's statement.", {
  PDF: ["pdf", "PDF", "A document to print or send."],
  CSV: ["csv", "CSV", "A table for a spreadsheet."],
});

/** Body of a customer's own statement: a period and a format. */
export const statementRules = moneyReportRules.concat(
  object({
    format: string<ValueOf<typeof statementFormats>>()
      .oneOf(listValues(statementFormats), "Format must be pdf or csv.")
      .default("pdf"),
  }),
);
export type StatementValues = InferType<typeof statementRules>;

/** Body of a customer's statement for staff. */
export const customerStatementRules = statementRules.concat(
  object({ userId: line(36).required("Choose a customer.") }),
);
