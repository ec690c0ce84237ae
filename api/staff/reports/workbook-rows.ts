import type { ReportColumn } from "./report.ts";
import { escapeXml, styleOf } from "./workbook-xml.ts";

/** Writes the rows of a sheet, from the first on. */
export interface RowWriter {
  /** The row of titles. */
  titles(): string;
  /** Rows of lines as `copy … (format text, null '')` gives them. */
  write(lines: readonly string[]): string;
}

/** Characters that a cell can hold; a workbook with more in one is taken for broken. */
const CELL_CHARACTERS = 32_767;

// What stands otherwise in XML, or in a line of COPY.
const isSpecial = /[&<>\\_\u0000-\u001f\u007f-\u009f\ufffe\uffff]|^\s|\s$/;

/** Makes the rows of one sheet. Empty cells are left out. */
export function rowWriter(columns: readonly ReportColumn[]): RowWriter {
  const cells = columns.map((column, index) => {
    const style = styleOf(column.kind);
    const isText = column.kind === "text";
    return {
      isText,
      isChecked: isText && !column.isOurs,
      before: `<c r="${letters(index)}`,
      within: `"${style ? ` s="${style}"` : ""}${isText ? ' t="inlineStr"><is><t>' : "><v>"}`,
      after: isText ? "</t></is></c>" : "</v></c>",
    };
  });
  let row = 0;
  return {
    titles() {
      row++;
      const titles = columns.map(({ title }, index) => textCell(`${letters(index)}${row}`, title));
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
            (cell.isChecked && isSpecial.test(value)) || (cell.isText && value.length > CELL_CHARACTERS)
              ? textCell(`${letters(index)}${row}`, fitting(uncopied(value)))
              : cell.before + row + cell.within + value + cell.after;
        }
        xml += "</row>";
      }
      return xml;
    },
  };
}

const textCell = (at: string, text: string) =>
  `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;

/** As much of a text as a cell can hold, no character halved. */
function fitting(text: string): string {
  if (text.length <= CELL_CHARACTERS) return text;
  const cut = text.slice(0, CELL_CHARACTERS);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

const copied: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** A value as it was before PostgreSQL wrote it for COPY. */
function uncopied(value: string): string {
  return value.includes("\\") ? value.replace(/\\(.)/g, (_, one: string) => copied[one] ?? one) : value;
}

/** The name of a column: A, B, … Z, AA. */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
