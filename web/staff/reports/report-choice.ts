import { type ReportFormat, reportFormats, reportTypes } from "#schema/catalogue.ts";
import { daysOfPeriod, type ReportPeriod, reportPeriods } from "#schema/saved-reports.ts";
import { remember, remembered } from "#web/ui/table/remembered.ts";

/** What the form holds: the type as its select has it, days as `YYYY-MM-DD` in the vendor's time zone, or as they are typed. */
export interface ReportChoice {
  reportType: string;
  startDate: string;
  endDate: string;
  format: ReportFormat;
}

/** A choice that the rules let pass, as the api takes it. */
export interface AskedReport {
  readonly reportType: number;
  readonly startDate: string;
  readonly endDate: string;
}

const REMEMBERED_AS = "report";
const USUAL: ReportPeriod = "ONE_MONTH";

/** Ranges that are one press away in the form; dialogs offer all of {@link reportPeriods}. */
export const quickRanges = [
  "ONE_MONTH",
  "LAST_7_DAYS",
  "LAST_MONTH",
  "THIS_FINANCIAL_YEAR",
  "LAST_FINANCIAL_YEAR",
  "ALL_TIME",
] as const satisfies readonly ReportPeriod[];

export const typeOptions = reportTypes.map(({ value, label }) => ({ value: String(value), label }));

export const formatOptions: readonly { value: ReportFormat; label: string }[] = [
  { value: "xlsx", label: "Excel workbook (XLSX)" },
  { value: "csv", label: "Plain table (CSV)" },
];

/** The quick range that has these days at present; null for days of one's own. */
export function rangeOf({ startDate, endDate }: Pick<ReportChoice, "startDate" | "endDate">): ReportPeriod | null {
  const now = new Date();
  const isThis = (period: ReportPeriod) => {
    const days = daysOfPeriod(period, now);
    return days.startDate === startDate && days.endDate === endDate;
  };
  return quickRanges.find(isThis) ?? null;
}

/**
 * What the address asks for, `?type=9&start=2026-11-01&end=2026-11-30`, else the last choice of this browser, else no type,
 * from a month ago to today, as a workbook.
 */
export function firstChoice(address: URLSearchParams): ReportChoice {
  const usual: ReportChoice = { reportType: "", ...daysOfPeriod(USUAL, new Date()), format: "xlsx" };
  const last = remembered(REMEMBERED_AS, (kept) => readChoice(kept, usual)) ?? usual;
  const [type, startDate, endDate] = ["type", "start", "end"].map((name) => address.get(name));
  const asked = readChoice({ reportType: type, startDate, endDate, format: last.format }, usual);
  return asked.reportType ? asked : last;
}

/** Keeps a choice for the next time; a quick range moves on with the days. */
export function rememberChoice(choice: ReportChoice): void {
  const { reportType, format, startDate, endDate } = choice;
  const period = rangeOf(choice);
  remember(REMEMBERED_AS, { reportType, format, ...(period ? { period } : { startDate, endDate }) });
}

function readChoice(kept: Record<string, unknown>, usual: ReportChoice): ReportChoice {
  const period = Object.keys(reportPeriods).find((one) => one === kept.period) as ReportPeriod | undefined;
  const days = period ? daysOfPeriod(period, new Date()) : daysKept(kept);
  return {
    ...usual,
    ...days,
    reportType: typeOptions.find(({ value }) => value === kept.reportType)?.value ?? "",
    format: reportFormats.find((format) => format === kept.format) ?? usual.format,
  };
}

/** Days that were kept; null for rubbish, or the days of a release to come. */
function daysKept({ startDate, endDate }: Record<string, unknown>): { startDate: string; endDate: string } | null {
  return isDay(startDate) && isDay(endDate) && startDate <= endDate ? { startDate, endDate } : null;
}

const isDay = (text: unknown): text is string => typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text);
