import { object, string } from "yup";
import { moneyFigureNames } from "#schema/money-report.ts";
import { reportPeriod } from "#schema/report.ts";
import { line } from "#schema/text.ts";

const DAY = "Must be a day (YYYY-MM-DD).";
/** Longest period of the report, in months. */
const MAX_MONTHS = 120;

const day = (required: string) =>
  string()
    .required(required)
    .matches(/^\d{4}-\d\d-\d\d$/, DAY)
    .test("day", DAY, (text) => new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text);

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
