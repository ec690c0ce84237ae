import { type BulkColumn, bulkColumns } from "#schema/bulk-columns.ts";
import type { BulkKind } from "#schema/bulk-run.ts";
import {
  isWellFormedLicenceCode,
  normaliseLicenceCode,
  parseSupportCode,
} from "#api/licensing/licences/licence-code.ts";
import { UnreadableFileError } from "./inspect-file.ts";

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
export function isLicenceOrSupportCode(cell: string): boolean {
  return parseSupportCode(cell) !== null || isWellFormedLicenceCode(normaliseLicenceCode(cell));
}

const normaliseName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
