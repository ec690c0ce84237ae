import { PassThrough, pipeline, Readable } from "node:stream";
import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";
import { CopiedLines } from "./copied-lines.ts";
import { copyOf, giveBackAfter, HIGH_WATER_MARK } from "./report-client.ts";
import { dollars, type Report, type ReportColumn, wallClock } from "./report.ts";
import {
  contentTypesXml,
  mainRelationsXml,
  sheetEnd,
  sheetStart,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
} from "./workbook-xml.ts";
import { rowWriter } from "./workbook-rows.ts";
import { ZipWriter } from "./zip-writer.ts";

/** Rows that a sheet can hold, its titles among them. */
const SHEET_ROWS = 1_048_576;

/** Rows of a part that is packed at once: few, so that its text does not outlive the youngest garbage. */
const PART_ROWS = 64;

/** A sheet is ended before it grows beyond what a zip without extensions can hold of one file. */
const SHEET_BYTES = 3.5e9;

/**
 * A report as a workbook. Every text is a text cell, so that none is taken for a formula; a million rows
 * fill a sheet, further ones go on in the next. Of our own making: the rows come as PostgreSQL copies them and go as
 * text into the sheet, with no object in between, several times as fast as a library's cells (decision 0038).
 */
export function workbookOf(context: Context, client: PoolClient, report: Report): Readable {
  const select = report.columns.map(inWorkbook).join(", ");
  const copy = copyOf(client, `select ${select} ${report.from}`, "format text, null ''");
  // Left early, the sheet itself ends only once its next rows have come; whoever reads must not wait for that.
  const file = new PassThrough({ highWaterMark: HIGH_WATER_MARK });
  pipeline(Readable.from(partsOf(report, new CopiedLines(copy)), { objectMode: false }), file, () => {});
  giveBackAfter(context, file, client);
  return file;
}

async function* partsOf({ columns, sheetName }: Report, lines: CopiedLines): AsyncGenerator<Buffer> {
  const zip = new ZipWriter();
  yield* zip.add("xl/styles.xml", [stylesXml]);
  let sheets = 0;
  do {
    sheets++;
    yield* zip.add(`xl/worksheets/sheet${sheets}.xml`, sheetOf(columns, lines));
  } while (await lines.hasMore());
  yield* zip.add("xl/workbook.xml", [workbookXml(sheetName, sheets)]);
  yield* zip.add("xl/_rels/workbook.xml.rels", [workbookRelationsXml(sheets)]);
  yield* zip.add("_rels/.rels", [mainRelationsXml]);
  yield* zip.add("[Content_Types].xml", [contentTypesXml(sheets)]);
  yield zip.end();
}

/** A sheet with as many of the lines as it can hold. */
async function* sheetOf(columns: readonly ReportColumn[], lines: CopiedLines): AsyncGenerator<Buffer> {
  const rows = rowWriter(columns);
  yield Buffer.from(sheetStart(columns) + rows.titles());
  for (let count = 1, bytes = 0; count < SHEET_ROWS && bytes < SHEET_BYTES; ) {
    const part = await lines.take(Math.min(PART_ROWS, SHEET_ROWS - count));
    if (part.length === 0) break;
    const xml = Buffer.from(rows.write(part));
    count += part.length;
    bytes += xml.length;
    yield xml;
  }
  yield Buffer.from(sheetEnd);
}

/** SQL: a value as it stands in a cell; a wall clock as a workbook counts them, in days, to the second as CSV has it. */
function inWorkbook(column: ReportColumn): string {
  const { kind, sql } = column;
  if (kind === "date") return `floor(date_part('epoch', ${wallClock(column)})) / 86400 + 25569`;
  return kind === "money" ? dollars(sql) : sql;
}
