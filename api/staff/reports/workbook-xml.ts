import type { ColumnKind } from "#schema/report.ts";
import type { ReportColumn } from "./report.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Number formats of cells. The style number of a kind is its position in this list, starting at 1. */
const formats: readonly (readonly [kind: ColumnKind, format: string])[] = [
  ["date", "yyyy-mm-dd hh:mm:ss"],
  ["money", '"$"#,##0.00;-"$"#,##0.00'],
];

/** Returns the cell style number of a kind of column, or 0 if it has no style. */
export function getStyleNumber(kind: ColumnKind): number {
  return formats.findIndex(([one]) => one === kind) + 1;
}

// Format numbers below 164 are reserved for built-in formats.
const getFormatNumber = (place: number) => 164 + place;

/** `xl/styles.xml`. */
export const stylesXml = `${declaration}<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats
  .map(([, format], place) => `<numFmt numFmtId="${getFormatNumber(place)}" formatCode="${escapeXml(format)}"/>`)
  .join(
    "",
  )}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${formats
  .map(
    (_, place) =>
      `<xf numFmtId="${getFormatNumber(place)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  .join(
    "",
  )}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Returns the start of a sheet, with a frozen title row and the column widths. */
export function buildSheetStart(columns: readonly ReportColumn[]): string {
  const widths = columns.map(
    ({ kind, width }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width ?? (kind === "date" ? 20 : 16)}" customWidth="1"/>`,
  );
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join("")}</cols><sheetData>`;
}

export const sheetEnd = "</sheetData></worksheet>";

const repeatXml = (sheets: number, xml: (number: number) => string) =>
  Array.from({ length: sheets }, (_, index) => xml(index + 1)).join("");

/** Returns `xl/workbook.xml`. Further sheets have a number in their name, which is limited to 31 characters. */
export function buildWorkbookXml(sheetName: string, sheets: number): string {
  const formatSheetName = (number: number) => (number === 1 ? sheetName : `${sheetName.slice(0, 27)} ${number}`);
  return `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${repeatXml(
    sheets,
    (number) => `<sheet name="${escapeXml(formatSheetName(number))}" sheetId="${number}" r:id="rId${number}"/>`,
  )}</sheets></workbook>`;
}

/** Returns `xl/_rels/workbook.xml.rels`. */
export function buildWorkbookRelationsXml(sheets: number): string {
  const formatRelation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`;
  return `${declaration}<Relationships xmlns="${relations}">${repeatXml(sheets, (number) =>
    formatRelation(number, "worksheet", `worksheets/sheet${number}.xml`),
  )}${formatRelation(sheets + 1, "styles", "styles.xml")}</Relationships>`;
}

/** Content of `_rels/.rels`. */
export const mainRelationsXml = `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Returns `[Content_Types].xml`. */
export function buildContentTypesXml(sheets: number): string {
  return `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>${repeatXml(
    sheets,
    (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${types}.worksheet+xml"/>`,
  )}<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;
}

/**
 * Escapes text for XML. Removes characters that aren't allowed in XML, and escapes sequences like `_x0041_`, which a
 * spreadsheet would read as a character code.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>"]/g, (one) => entities[one] ?? one)
    .replaceAll("\r", "&#13;");
}
