import { type BulkColumn, bulkColumns, type BulkKind } from "#schema/bulk.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  readSupportCode,
} from "#api/licensing/licences/licence-code.ts";
import { UnreadableFile } from "./inspect-file.ts";

/** Which cell of a record holds what. */
export interface FileHeader {
  /** The column of each cell; null for one that is left out. */
  readonly columns: readonly (BulkColumn | null)[];
  /** What to know: columns that are left out, a list without a header. */
  readonly notes: readonly string[];
  /** The first record is a row already: a bare list of codes. */
  readonly isRow: boolean;
}

/**
 * Reads the first record of a file: names of the wire or labels of the screen, in any case and order. A bare list of
 * support or licence codes needs no header.
 * @throws UnreadableFile naming what is missing or there twice.
 */
export function readHeader(kind: BulkKind, cells: readonly string[]): FileHeader {
  const known = bulkColumns[kind];
  const byName = new Map(
    known.flatMap((column) =>
      [column.name, column.label, ...(column.otherNames ?? [])].map((name) => [bare(name), column] as const),
    ),
  );
  const columns = cells.map((cell) => byName.get(bare(cell)) ?? null);
  if (columns.every((column) => column === null)) {
    const [code] = known;
    if (code?.name === "supportCode" && isCode(cells[0] ?? ""))
      return { columns: [code], notes: ["The file has no header, so its first column is read as codes."], isRow: true };
    throw new UnreadableFile(
      `The first row must name the columns, such as ${known
        .slice(0, 3)
        .map(({ label }) => label)
        .join(", ")}.`,
    );
  }
  const faults = [
    ...known
      .filter((column) => columns.filter((one) => one === column).length > 1)
      .map(({ label }) => `The column “${label}” is there more than once.`),
    ...known
      .filter((column) => column.required && !columns.includes(column))
      .map(({ label }) => `The column “${label}” is missing.`),
  ];
  if (faults.length > 0) throw new UnreadableFile(faults.join("\n"));
  const unknown = cells.filter((cell, at) => columns[at] === null && cell !== "");
  const notes = unknown.map((cell) => `The column “${cell.slice(0, 60).toWellFormed()}” is not known and is left out.`);
  return { columns, notes, isRow: false };
}

/** Whether a cell holds what could be a support code or a licence code. */
export function isCode(cell: string): boolean {
  return readSupportCode(cell) !== null || isWellFormedLicenceCode(normaliseLicenceCode(cell));
}

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
