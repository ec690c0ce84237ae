import { isDay } from "#schema/dates.ts";
import { type ReportFormat, reportFormats, reportRoles, reportRules, reportTypes } from "#schema/report.ts";
import { getSession } from "#web/platform/session.ts";
import { type NeededRole, offersRole } from "#web/platform/staff-role.tsx";
import { getPeriodDays, type ReportPeriod, reportPeriods } from "#schema/saved-report.ts";
import { saveListSettings, loadListSettings } from "#web/ui/lists/use-url-list.ts";
import { type CodeOf, toCode } from "#schema/closed-list.ts";

/** Values of the report form. The type is a string, and days are `YYYY-MM-DD` in the vendor's time zone, or invalid text as typed. */
export interface ReportChoice {
  reportType: string;
  startDate: string;
  endDate: string;
  format: ReportFormat;
}

/** A valid report request, as the API expects it. */
export interface ReportRequest {
  readonly reportType: CodeOf<typeof reportTypes>;
  readonly startDate: string;
  readonly endDate: string;
}

/** Converts the form's values to a report request. Returns null if they are invalid. */
export function toReportRequest({ reportType, startDate, endDate, format }: ReportChoice): ReportRequest | null {
  return reportRules.isValidSync({ reportType, startDate, endDate, format })
    ? { reportType: toCode(reportTypes, Number(reportType)), startDate, endDate }
    : null;
}

const STORAGE_KEY = "report";
const DEFAULT_PERIOD: ReportPeriod = "ONE_MONTH";

/** Date ranges that have a button in the form. Dialogs offer all of {@link reportPeriods}. */
export const quickRanges = [
  "ONE_MONTH",
  "LAST_7_DAYS",
  "LAST_MONTH",
  "THIS_FINANCIAL_YEAR",
  "LAST_FINANCIAL_YEAR",
  "ALL_TIME",
] as const satisfies readonly ReportPeriod[];

/** Returns the reports that the signed-in user's staff roles include. */
export function listTypeOptions() {
  const roles: Readonly<Record<number, NeededRole>> = reportRoles;
  return reportTypes.filter(({ value }) => offersRole(roles[value], getSession()));
}

export const formatOptions: readonly { value: ReportFormat; label: string }[] = [
  { value: "xlsx", label: "Excel workbook (XLSX)" },
  { value: "csv", label: "Plain table (CSV)" },
];

/** Returns the quick range that currently covers these days, or null for custom days. */
export function findQuickRange(props: Pick<ReportChoice, "startDate" | "endDate">): ReportPeriod | null {
  const { startDate, endDate } = props;
  const now = new Date();
  const matchesDays = (period: ReportPeriod) => {
    const days = getPeriodDays(period, now);
    return days.startDate === startDate && days.endDate === endDate;
  };
  return quickRanges.find(matchesDays) ?? null;
}

/**
 * Returns the initial values of the form: from the URL (`?type=9&start=2026-11-01&end=2026-11-30`), or else the last
 * values used in this browser, or else the last month as a workbook without a type.
 */
export function getInitialChoice(address: URLSearchParams): ReportChoice {
  const defaults: ReportChoice = { reportType: "", ...getPeriodDays(DEFAULT_PERIOD, new Date()), format: "xlsx" };
  const last = loadListSettings(STORAGE_KEY, (stored) => readChoice(stored, defaults)) ?? defaults;
  const [type, startDate, endDate] = ["type", "start", "end"].map((name) => address.get(name));
  const fromUrl = readChoice({ reportType: type, startDate, endDate, format: last.format }, defaults);
  return fromUrl.reportType ? fromUrl : last;
}

/** Stores the values for the next visit. A quick range is stored by name, so that its days stay current. */
export function rememberChoice(choice: ReportChoice): void {
  const { reportType, format, startDate, endDate } = choice;
  const period = findQuickRange(choice);
  saveListSettings(STORAGE_KEY, { reportType, format, ...(period ? { period } : { startDate, endDate }) });
}

function readChoice(stored: Record<string, unknown>, defaults: ReportChoice): ReportChoice {
  const period = reportPeriods.find(({ value }) => value === stored.period)?.value;
  const days = period ? getPeriodDays(period, new Date()) : readDays(stored);
  return {
    ...defaults,
    ...days,
    reportType: String(listTypeOptions().find(({ value }) => String(value) === stored.reportType)?.value ?? ""),
    format: reportFormats.find(({ value }) => value === stored.format)?.value ?? defaults.format,
  };
}

/** Returns stored days, or null if they are invalid. */
function readDays({ startDate, endDate }: Record<string, unknown>): { startDate: string; endDate: string } | null {
  return isDay(startDate) && isDay(endDate) && startDate <= endDate ? { startDate, endDate } : null;
}
