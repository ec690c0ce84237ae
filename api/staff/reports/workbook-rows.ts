import type { ReportColumn } from "./report.ts";
import { escapeXml, getStyleNumber } from "./workbook-xml.ts";

/** Writes the rows of a sheet in order. */
export interface RowWriter {
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
export function createRowWriter(columns: readonly ReportColumn[]): RowWriter {
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
