import { PassThrough, pipeline, Readable } from "node:stream";
import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";
import { CopyLineReader } from "./copy-line-reader.ts";
import { streamCopy, releaseAfter, HIGH_WATER_MARK } from "./report-client.ts";
import { toDollarsSql, type Report, type ReportColumn, toLocalTimeSql } from "./report.ts";
import {
  buildContentTypesXml,
  mainRelationsXml,
  sheetEnd,
  buildSheetStart,
  stylesXml,
  buildWorkbookRelationsXml,
  buildWorkbookXml,
} from "./workbook-xml.ts";
import { createRowWriter } from "./workbook-rows.ts";
import { ZipWriter } from "./zip-writer.ts";

/** Maximum number of rows in a sheet, including the title row. */
const SHEET_ROWS = 1_048_576;

/**
 * Number of rows per compressed chunk. Small chunks keep the strings short-lived, which helps the garbage collector.
 */
const CHUNK_ROWS = 64;

/** Maximum size of a sheet in bytes, below the 4 GB limit of a file in a zip without extensions. */
const SHEET_BYTES = 3.5e9;

/**
 * Streams a report as a workbook. Text always goes into text cells, so it is never read as a formula. A new sheet
 * starts after about a million rows. The rows are converted from COPY output to XML without intermediate objects, which
 * is several times faster than a library.
 */
export function streamWorkbook(context: Context, client: PoolClient, report: Report): Readable {
  const select = report.columns.map(toWorkbookSql).join(", ");
  const copy = streamCopy(client, `select ${select} ${report.from}`, "format text, null ''");
  // A generator can only stop when its next rows arrive. The stream in between ends the response as soon as the client
  // disconnects.
  const file = new PassThrough({ highWaterMark: HIGH_WATER_MARK });
  pipeline(Readable.from(generateWorkbook(report, new CopyLineReader(copy)), { objectMode: false }), file, () => {});
  releaseAfter(context, file, client);
  return file;
}

async function* generateWorkbook({ columns, sheetName }: Report, lines: CopyLineReader): AsyncGenerator<Buffer> {
  const zip = new ZipWriter();
  yield* zip.add("xl/styles.xml", [stylesXml]);
  let sheets = 0;
  do {
    sheets++;
    yield* zip.add(`xl/worksheets/sheet${sheets}.xml`, generateSheet(columns, lines));
  } while (await lines.hasMore());
  yield* zip.add("xl/workbook.xml", [buildWorkbookXml(sheetName, sheets)]);
  yield* zip.add("xl/_rels/workbook.xml.rels", [buildWorkbookRelationsXml(sheets)]);
  yield* zip.add("_rels/.rels", [mainRelationsXml]);
  yield* zip.add("[Content_Types].xml", [buildContentTypesXml(sheets)]);
  yield zip.end();
}

/** Generates a sheet with as many of the lines as fit. */
async function* generateSheet(columns: readonly ReportColumn[], lines: CopyLineReader): AsyncGenerator<Buffer> {
  const rows = createRowWriter(columns);
  yield Buffer.from(buildSheetStart(columns) + rows.titles());
  for (let count = 1, bytes = 0; count < SHEET_ROWS && bytes < SHEET_BYTES; ) {
    const part = await lines.take(Math.min(CHUNK_ROWS, SHEET_ROWS - count));
    if (part.length === 0) break;
    const xml = Buffer.from(rows.write(part));
    count += part.length;
    bytes += xml.length;
    yield xml;
  }
  yield Buffer.from(sheetEnd);
}

/** Returns SQL for a cell value. Dates become serial numbers in days. They are precise to the second, as in CSV. */
function toWorkbookSql(column: ReportColumn): string {
  const { kind, sql } = column;
  if (kind === "date") return `floor(date_part('epoch', ${toLocalTimeSql(column)})) / 86400 + 25569`;
  return kind === "money" ? toDollarsSql(sql) : sql;
}
