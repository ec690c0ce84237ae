import { PassThrough, pipeline, type Readable } from "node:stream";
import type { ReportFormat } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { dollars, isoWallClock, type Report, type ReportColumn } from "./report.ts";
import { copyOf, giveBackAfter, HIGH_WATER_MARK, takeClient } from "./report-client.ts";
import { workbookOf } from "./write-workbook.ts";
import type { PoolClient } from "pg";

// The wide forms are what spreadsheets of East Asia take for the first four.
const startsOfFormulas = Array.from("=+-@\t\r＝＋－＠", (one) => one.codePointAt(0)).join(", ");

/**
 * A report as CSV. PostgreSQL writes the lines itself, which no program of ours does as fast: they pass through as bytes.
 * The titles are ours and go ahead, so that a download begins before the first row is found. A text that a spreadsheet
 * would take for a formula begins with `'` (docs/domain.md#reports).
 */
function csvOf(context: Context, client: PoolClient, report: Report): Readable {
  const file = new PassThrough({ highWaterMark: HIGH_WATER_MARK });
  file.write(`${report.columns.map(({ title }) => quoted(title)).join(",")}\n`);
  pipeline(copyOf(client, csvStatement(report), "format csv"), file, () => {});
  giveBackAfter(context, file, client);
  return file;
}

/** SQL: the rows of a report as they stand in CSV. */
export function csvStatement({ columns, from }: Report): string {
  return `select ${columns.map(inCsv).join(", ")} ${from}`;
}

function inCsv(column: ReportColumn): string {
  const { kind, sql, isOurs } = column;
  if (kind === "date") return isoWallClock(column);
  if (kind === "money") return dollars(sql);
  if (kind === "number" || isOurs) return sql;
  return `case when ascii(${sql}) in (${startsOfFormulas}) then '''' || (${sql}) else (${sql}) end`;
}

const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A report as a file that is written while it is read. */
export interface ReportFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Readable;
}

const contentTypes: Record<ReportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/**
 * Writes a report as it is downloaded, in flat memory however many rows there are, on a connection of the reports' own.
 * When the reader leaves, the database stops too. Moments are in the vendor's time zone: real
 * dates in a workbook, ISO 8601 with the offset in CSV.
 * @throws AppError RATE_LIMITED after 60 in ten minutes; UNAVAILABLE when all of the reports' connections are taken.
 */
export async function streamReport(context: Context, report: Report, format: ReportFormat): Promise<ReportFile> {
  await context.rateLimits.take("report", context.actor?.userId ?? context.origin.ip);
  return writeReport(context, report, format);
}

/**
 * The same without a limit, for reports that nobody waits for.
 * @throws AppError UNAVAILABLE when all of the reports' connections are taken.
 */
export async function writeReport(context: Context, report: Report, format: ReportFormat): Promise<ReportFile> {
  const client = await takeClient(context);
  const write = format === "csv" ? csvOf : workbookOf;
  return {
    filename: `${report.fileName}.${format}`,
    contentType: contentTypes[format],
    content: write(context, client, report),
  };
}
