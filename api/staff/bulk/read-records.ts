import { CsvError, parse } from "csv-parse";
import { Readable } from "node:stream";
import { type FileForm, UnreadableFile } from "./inspect-file.ts";

/** One record of a file. */
export interface FileRecord {
  /** As a spreadsheet counts rows: the first is 1, empty ones count. */
  readonly rowNumber: number;
  readonly cells: readonly string[];
  /** Share of the file that has been read, 0 to 100. */
  readonly percent: number;
}

/** Letters of one record; a quotation mark that is never closed would otherwise take in the rest of the file. */
const MOST_LETTERS = 100_000;

/**
 * The records of a CSV file, one after the other, at flat memory: cells trimmed, empty rows left out, and the
 * quote taken away that spreadsheets' exports put before what could be a formula. A formula stays the text it is.
 * @throws UnreadableFile where the file is no CSV.
 */
export async function* readRecords(content: Readable, form: FileForm): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter: form.separator,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MOST_LETTERS,
  });
  const text = Readable.from(decoded(content, form));
  text.once("error", (error) => parser.destroy(error));
  text.pipe(parser);
  let rowNumber = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { bytes: number } }>) {
      if (rowNumber === 0 && /^sep=/i.test(record[0] ?? "") && record.every((cell, at) => at === 0 || cell === ""))
        continue;
      rowNumber++;
      const cells = record.map(cellText);
      const percent = Math.min(100, Math.floor((100 * info.bytes) / form.sizeBytes));
      if (cells.some((cell) => cell !== "")) yield { rowNumber, cells, percent };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser fails ahead of the records it has still to hand out.
    const last = Math.max(rowNumber, Number((error as { records?: number }).records ?? 0));
    throw new UnreadableFile(
      error.code === "CSV_QUOTE_NOT_CLOSED" || error.code === "CSV_MAX_RECORD_SIZE"
        ? `After row ${last}: a quotation mark is opened and never closed.`
        : `After row ${last}: this can't be read as CSV.`,
    );
  } finally {
    text.destroy();
    parser.destroy();
    content.destroy();
  }
}

async function* decoded(content: Readable, { decoder }: FileForm): AsyncGenerator<string> {
  // The decoder takes a byte order mark away by itself.
  const letters = new TextDecoder(decoder);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const text = letters.decode(chunk, { stream: true });
    if (text.includes("\0")) throw new UnreadableFile("The file holds NUL characters: it is not text.");
    if (text !== "") yield text;
  }
  const rest = letters.decode();
  if (rest !== "") yield rest;
}

function cellText(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
