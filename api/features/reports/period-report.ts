import type { ReportType } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { literal, type Report, type ReportColumn } from "./report.ts";
import { reportSources } from "./types/report-sources.ts";

/** A report over a range of dates: one row for each row of a table, which its joins only add to. */
export interface ReportSource {
  /** Names the file, before the range. */
  readonly fileName: string;
  /** At most 31 characters. */
  readonly sheetName: string;
  /** SQL: the table and its alias. */
  readonly table: string;
  /** SQL: what the range is about, timestamptz. An index in the order of `at desc, id desc` serves it. */
  readonly at: string;
  /** SQL: tells rows of the same moment apart. */
  readonly id: string;
  /** SQL: which rows of the table, as the index's own condition says it; all where it is left out. */
  readonly where?: string;
  /** SQL: joins that neither drop nor double a row. */
  readonly joins: string;
  /** @param now SQL of the present */
  readonly columns: (now: string) => readonly ReportColumn[];
}

/** Which report, and from when until when; both ends belong to it. */
export interface AskedReport {
  readonly reportType: ReportType;
  readonly startDate: Date;
  readonly endDate: Date;
}

/** A report over a range, newest first (DOMAIN §8.12). Its file is named by the days of the range, UTC. */
export function periodReport({ clock }: Pick<Context, "clock">, asked: AskedReport): Report {
  const source = reportSources[asked.reportType];
  const [from, to] = [asked.startDate, asked.endDate].map((date) => date.toISOString().slice(0, 10));
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
  // The database counts microseconds: those of the last millisecond belong to the range.
  const end = literal(endDate).replace("Z'", "999Z'");
  return `${at} >= ${literal(startDate)} and ${at} <= ${end}${where ? ` and ${where}` : ""}`;
}
