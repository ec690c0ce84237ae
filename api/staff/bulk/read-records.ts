import { CsvError, parse } from "csv-parse";
import { Readable } from "node:stream";
import { formulaSigns, type BulkColumn, bulkColumns } from "#schema/bulk-columns.ts";
import { type FileFormat, UnreadableFileError } from "./inspect-file.ts";
import type { BulkKind } from "#schema/bulk-run.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  parseSupportCode,
} from "#api/licensing/licences/licence-code.ts";

export interface FileRecord {
  /** Row number as in a spreadsheet: the first row is 1, and empty rows are counted. */
  readonly rowNumber: number;
  readonly cells: readonly string[];
  /** Percentage of the file that has been read, 0 to 100. */
  readonly percent: number;
}

/**
 * Maximum length of a record. Without this limit, an unclosed quotation mark would cause the rest of the file to be
 * read into memory.
 */
const MAX_RECORD_LENGTH = 100_000;

/**
 * Yields the records of a CSV file one by one with constant memory. Trims cells, skips empty rows, and removes the
 * apostrophe that our exports put before possible formulas. Formulas are kept as text, except those that are a text in quotes.
 * @throws UnreadableFileError if the file isn't valid CSV.
 */
export async function* readRecords(content: Readable, form: FileFormat): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter: form.separator,
    info: true,
    // Files that were put together from several have different ones. Alone, the parser expects the first one everywhere.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_LENGTH,
  });
  const text = Readable.from(decode(content, form));
  text.once("error", (error) => parser.destroy(error));
  text.pipe(parser);
  let rowNumber = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { bytes: number } }>) {
      if (rowNumber === 0 && /^sep=/i.test(record[0] ?? "") && record.every((cell, at) => at === 0 || cell === ""))
        continue;
      rowNumber++;
      const cells = record.map(cleanCell);
      const percent = Math.min(100, Math.floor((100 * info.bytes) / form.sizeBytes));
      if (cells.some((cell) => cell !== "")) yield { rowNumber, cells, percent };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser can fail before it has returned all earlier records.
    const last = Math.max(rowNumber, Number((error as { records?: number }).records ?? 0));
    throw new UnreadableFileError(
      error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE"
        ? `After row ${last}: a quotation mark is never closed.`
        : `After row ${last}: the text isn't valid CSV.`,
    );
  } finally {
    text.destroy();
    parser.destroy();
    content.destroy();
  }
}

async function* decode(content: Readable, { decoder }: FileFormat): AsyncGenerator<string> {
  // The decoder removes a byte order mark.
  const textDecoder = new TextDecoder(decoder);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const text = textDecoder.decode(chunk, { stream: true });
    if (text.includes("\0")) throw new UnreadableFileError("This is not a text file: it contains NUL characters.");
    if (text !== "") yield text;
  }
  const rest = textDecoder.decode();
  if (rest !== "") yield rest;
}

const escapedFormula = new RegExp(`^'+[${formulaSigns}]`);

/** A text written as a formula, such as `="0412345678"`, with which other programs keep its leading zeros. */
const quotedText = /^="([^"]*)"$/;

function cleanCell(cell: string): string {
  const written = cell.trim();
  const text = quotedText.exec(written)?.[1]?.trim() ?? written;
  return escapedFormula.test(text) ? text.slice(1) : text;
}

export interface FileHeader {
  /** Column of each cell. Null if the column is ignored. */
  readonly columns: readonly (BulkColumn | null)[];
  /** Warnings, such as ignored columns or a missing header. */
  readonly notes: readonly string[];
  /** True if the first record is already a row, as in a list of codes without a header. */
  readonly isRow: boolean;
}

/**
 * Reads the header of a file. Columns may have their API names or their labels, in any order and any mix of upper and
 * lower case. A list of support or licence codes needs no header.
 * @throws UnreadableFileError if columns are missing or occur more than once.
 */
export function readHeader(kind: BulkKind, cells: readonly string[]): FileHeader {
  const known = bulkColumns[kind];
  const byName = new Map(
    known.flatMap((column) =>
      [column.name, column.label, ...(column.otherNames ?? [])].map((name) => [normaliseName(name), column] as const),
    ),
  );
  const columns = cells.map((cell) => byName.get(normaliseName(cell)) ?? null);
  if (columns.every((column) => column === null)) {
    const [code] = known;
    if (code?.name === "supportCode" && isLicenceOrSupportCode(cells[0] ?? ""))
      return {
        columns: [code],
        notes: ["The file has no header, so its first column was read as codes."],
        isRow: true,
      };
    throw new UnreadableFileError(
      `The first row must name the columns, such as ${known
        .slice(0, 3)
        .map(({ label }) => label)
        .join(", ")}.`,
    );
  }
  const faults = [
    ...known
      .filter((column) => columns.filter((one) => one === column).length > 1)
      .map(({ label }) => `The column “${label}” occurs more than once.`),
    ...known
      .filter((column) => column.required && !columns.includes(column))
      .map(({ label }) => `The column “${label}” is missing.`),
  ];
  if (faults.length > 0) throw new UnreadableFileError(faults.join("\n"));
  const unknown = cells.filter((cell, at) => columns[at] === null && cell !== "");
  const notes = unknown.map(
    (cell) => `The column “${cell.slice(0, 60).toWellFormed()}” is unknown and will be ignored.`,
  );
  return { columns, notes, isRow: false };
}

/** Returns whether a cell looks like a support code or a licence code. */
function isLicenceOrSupportCode(cell: string): boolean {
  return parseSupportCode(cell) !== null || isWellFormedLicenceCode(normaliseLicenceCode(cell));
}

const normaliseName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
