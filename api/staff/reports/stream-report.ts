import { PassThrough, pipeline, type Readable } from "node:stream";
import { callbackify } from "node:util";
import type { ReportFormat } from "#schema/report.ts";
import { formulaSigns } from "#schema/bulk-columns.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { toDollarsSql, toIsoLocalTimeSql, type Report, type ReportColumn } from "./report.ts";
import { streamCopy, releaseAfter, HIGH_WATER_MARK, takeReportClient } from "./report-client.ts";
import { streamWorkbook } from "./stream-workbook.ts";
import type { PoolClient } from "pg";

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CRLF = Buffer.from("\r\n");
const formulaPrefixes = Array.from(formulaSigns, (one) => one.codePointAt(0)).join(", ");

/**
 * Streams a report as CSV. PostgreSQL formats the rows, which is faster than formatting them here. The titles are sent
 * first, so that a download starts before the first row is found. Text that a spreadsheet would read as a formula is
 * prefixed with `'` (docs/domain.md#reports). Spreadsheets need the byte order mark and CRLF.
 */
function streamCsv(context: Context, client: PoolClient, report: Report): Readable {
  const file = new PassThrough({ highWaterMark: HIGH_WATER_MARK });
  file.write(`\ufeff${report.columns.map(({ title }) => quoteCell(title)).join(",")}\r\n`);
  pipeline(streamCopy(client, buildCsvStatement(report), "format csv"), endLinesWithCrlf, file, () => {});
  releaseAfter(context, file, client);
  return file;
}

/** Returns the SQL statement for the CSV rows of a report. */
export function buildCsvStatement({ columns, from }: Report): string {
  return `select ${columns.map(toCsvSql).join(", ")} ${from}`;
}

function toCsvSql(column: ReportColumn): string {
  const { kind, sql, isTrusted } = column;
  if (kind === "date") return toIsoLocalTimeSql(column);
  if (kind === "money") return toDollarsSql(sql);
  if (kind === "number" || isTrusted) return sql;
  // Text that begins with `'` and a formula gets another `'`, so that an import restores it.
  const isFormula = `ascii(${sql}) in (${formulaPrefixes}) or (${sql}) ~ '^''+[${formulaSigns}]'`;
  return `case when ${isFormula} then '''' || (${sql}) else (${sql}) end`;
}

/** Replaces the line feed after each row of PostgreSQL's CSV with CRLF, and keeps line feeds in quoted cells. */
async function* endLinesWithCrlf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isQuoted = false;
  for await (const chunk of chunks) {
    const parts: Buffer[] = [];
    let start = 0;
    for (const [at, byte] of chunk.entries()) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) {
        parts.push(chunk.subarray(start, at), CRLF);
        start = at + 1;
      }
    }
    yield Buffer.concat([...parts, chunk.subarray(start)]);
  }
}

const quoteCell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A report file, generated while it is read. */
export interface ReportFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Readable;
}

/** Content type of each format. */
export const contentTypes: Readonly<Record<ReportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/**
 * Generates a report while it is downloaded, with constant memory, on a connection reserved for reports. Cancels the
 * query if the client disconnects. Times are in the vendor's time zone: real dates in a workbook, ISO 8601 with offset
 * in CSV.
 * @param record records the export in the audit log
 * @throws AppError RATE_LIMITED after 60 reports in ten minutes, UNAVAILABLE if all report connections are in use.
 */
export async function streamReport(
  context: Context,
  report: Report,
  format: ReportFormat,
  record: () => Promise<void> = () => recordExport(context, report.sheetName, format),
): Promise<ReportFile> {
  await context.rateLimits.take("report", context.actor?.userId ?? context.origin.ip);
  const file = await writeReport(context, report, format);
  reportExport(context, report.sheetName, format);
  try {
    await record();
  } catch (error) {
    file.content.destroy();
    throw error;
  }
  return file;
}

/** Returns the content of a file that ends only after `work`, which runs once everything before was read. */
export function runAtEnd(content: Readable, work: () => Promise<void>): Readable {
  // Without a buffer, the last bytes are read before the work runs.
  const flush = callbackify(work);
  const file = new PassThrough({ readableHighWaterMark: 0, flush });
  // Ignore errors: they end the download.
  pipeline(content, file, () => {});
  return file;
}

/** Records in the audit log that the caller downloaded a report. */
export function recordExport(context: Context, name: string, format: ReportFormat): Promise<void> {
  const subject = { type: "export", id: context.origin.requestId, name } as const;
  return inTransaction(context, (em) =>
    recordChange(context, em, { action: "export-report", subject, userId: null, after: { format } }),
  );
}

/** Records as a security event that the caller downloaded a report. */
export function reportExport(context: Context, name: string, format: ReportFormat): void {
  reportSecurityEvent(context, {
    type: "export.made",
    userId: context.actor?.userId ?? null,
    detail: { kind: "report", format, name },
  });
}

/**
 * Generates a report without a rate limit, for scheduled reports.
 * @throws AppError UNAVAILABLE if all report connections are in use.
 */
export async function writeReport(context: Context, report: Report, format: ReportFormat): Promise<ReportFile> {
  const client = await takeReportClient(context);
  const write = format === "csv" ? streamCsv : streamWorkbook;
  return {
    filename: `${report.fileName}.${format}`,
    contentType: contentTypes[format],
    content: write(context, client, report),
  };
}
