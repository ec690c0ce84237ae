import type { ReportType } from "#schema/catalogue.ts";
import { dayOf } from "#schema/days.ts";
import type { Context } from "#api/platform/context.ts";
import { isUntil, literal, type Report, type ReportSource } from "./report.ts";
import { reportSources } from "./report-sources.ts";

/** Which report, and from when until when; both ends belong to it. */
export interface AskedReport {
  readonly reportType: ReportType;
  readonly startDate: Date;
  readonly endDate: Date;
}

/** A report over a range, newest first. Its file is named by the vendor's days of the range. */
export function periodReport({ clock }: Pick<Context, "clock">, asked: AskedReport): Report {
  const source = reportSources[asked.reportType];
  const [from, to] = [asked.startDate, asked.endDate].map((date) => dayOf(date));
  return {
    fileName: `${source.fileName}-${from}-to-${to}`,
    sheetName: source.sheetName,
    columns: source.columns(literal(clock.now())),
    from: `from ${source.table} ${source.joins} where ${inPeriod(source, asked)}
      order by ${source.at} desc, ${source.id} desc`,
  };
}

/** SQL: the rows of a source in the range, without what is joined to them. */
export function rowsInPeriod(source: ReportSource, asked: AskedReport): string {
  return `from ${source.table} where ${inPeriod(source, asked)}`;
}

function inPeriod({ at, where }: ReportSource, { startDate, endDate }: AskedReport): string {
  return `${at} >= ${literal(startDate)} and ${isUntil(at, endDate)}${where ? ` and ${where}` : ""}`;
}
