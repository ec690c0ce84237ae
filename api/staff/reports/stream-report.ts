import type { Readable } from "node:stream";
import type { ReportFormat } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import type { Report } from "./report.ts";
import { takeClient } from "./report-client.ts";
import { csvOf } from "./write-csv.ts";
import { workbookOf } from "./write-workbook.ts";

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
