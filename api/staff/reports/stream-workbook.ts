import { PassThrough, pipeline, Readable } from "node:stream";
import type { PoolClient } from "pg";
import type { Context } from "#api/platform/context.ts";
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
  escapeXml,
  getStyleNumber,
} from "./workbook-xml.ts";
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

const LINE_END = 0x0a;

/** Reads the output of `copy … to stdout (format text)` line by line. PostgreSQL escapes line breaks in values as `\n`. */
class CopyLineReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #lines: string[] = [];
  #at = 0;
  /** Start of an incomplete line. */
  #rest: Buffer[] = [];

  constructor(copy: AsyncIterable<Buffer>) {
    this.#chunks = copy[Symbol.asyncIterator]();
  }

  /** Returns up to `limit` lines, or an empty array at the end. */
  async take(limit: number): Promise<readonly string[]> {
    if (!(await this.hasMore())) return [];
    const taken = this.#lines.slice(this.#at, this.#at + limit);
    this.#at += taken.length;
    return taken;
  }

  async hasMore(): Promise<boolean> {
    while (this.#at >= this.#lines.length) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      const end = value.lastIndexOf(LINE_END);
      if (end < 0) {
        this.#rest.push(value);
        continue;
      }
      const completeLines = value.subarray(0, end);
      const bytes = this.#rest.length > 0 ? Buffer.concat([...this.#rest, completeLines]) : completeLines;
      this.#rest = end + 1 < value.length ? [value.subarray(end + 1)] : [];
      this.#lines = bytes.toString("utf8").split("\n");
      this.#at = 0;
    }
    return true;
  }
}

/** Writes the rows of a sheet in order. */
interface RowWriter {
  /** Returns the title row. */
  titles(): string;
  /** Converts lines of `copy … (format text, null '')` to rows. */
  write(lines: readonly string[]): string;
}

/** Maximum number of characters in a cell. Excel reports a workbook with longer cells as corrupt. */
const CELL_CHARACTERS = 32_767;

// Characters that are escaped in XML or in COPY output.
const needsEscaping = /[&<>\\_\u0000-\u001f\u007f-\u009f\ufffe\uffff]|^\s|\s$/;

/** Creates a writer for the rows of one sheet. Empty cells are omitted. */
function createRowWriter(columns: readonly ReportColumn[]): RowWriter {
  const cells = columns.map((column, index) => {
    const style = getStyleNumber(column.kind);
    const isText = column.kind === "text";
    return {
      isText,
      isChecked: isText && !column.isTrusted,
      before: `<c r="${toColumnName(index)}`,
      within: `"${style ? ` s="${style}"` : ""}${isText ? ' t="inlineStr"><is><t>' : "><v>"}`,
      after: isText ? "</t></is></c>" : "</v></c>",
    };
  });
  let row = 0;
  return {
    titles() {
      row++;
      const titles = columns.map(({ title }, index) => formatTextCell(`${toColumnName(index)}${row}`, title));
      return `<row r="${row}">${titles.join("")}</row>`;
    },
    write(lines) {
      let xml = "";
      for (const line of lines) {
        row++;
        xml += `<row r="${row}">`;
        const values = line.split("\t");
        for (let index = 0; index < cells.length; index++) {
          const [value, cell] = [values[index], cells[index]];
          if (!value || !cell) continue;
          xml +=
            (cell.isChecked && needsEscaping.test(value)) || (cell.isText && value.length > CELL_CHARACTERS)
              ? formatTextCell(`${toColumnName(index)}${row}`, truncateText(unescapeCopy(value)))
              : cell.before + row + cell.within + value + cell.after;
        }
        xml += "</row>";
      }
      return xml;
    },
  };
}

const formatTextCell = (at: string, text: string) =>
  `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;

/** Truncates text to the maximum cell length without splitting a character. */
function truncateText(text: string): string {
  if (text.length <= CELL_CHARACTERS) return text;
  const cut = text.slice(0, CELL_CHARACTERS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

const copyEscapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Reverses PostgreSQL's escaping of a COPY value. */
function unescapeCopy(value: string): string {
  return value.includes("\\") ? value.replace(/\\(.)/g, (_, one: string) => copyEscapes[one] ?? one) : value;
}

/** Returns the name of a column: A, B, … Z, AA. */
function toColumnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toColumnName(Math.floor(index / 26) - 1) + last;
}
