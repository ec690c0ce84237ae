import { inflateRawSync } from "node:zlib";

/** Cell of a worksheet: its type (`t`), style (`s`) and text. */
export interface ReadCell {
  readonly type: string;
  readonly style: number;
  readonly text: string;
}

/**
 * Reads a workbook without the library that wrote it.
 * @returns the rows of the first sheet, and the number format of each cell style
 */
export function readWorkbook(file: Buffer): { rows: ReadCell[][]; formats: string[] } {
  const parts = unzip(file);
  const sheet = getPart(parts, "xl/worksheets/sheet1.xml");
  const styles = getPart(parts, "xl/styles.xml");
  const numberFormats = findElements(styles, "numFmt").map(({ attributes }) => attributes);
  const custom = new Map(numberFormats.map(({ numFmtId, formatCode }) => [numFmtId, formatCode ?? ""]));
  const [xfs] = findElements(styles, "cellXfs");
  return {
    formats: findElements(xfs?.inside ?? "", "xf").map(({ attributes }) => custom.get(attributes.numFmtId) ?? ""),
    rows: findElements(sheet, "row").map(({ inside }) => readCells(inside)),
  };
}

/** Returns the cells of a row by column, with empty cells that the file omits. */
function readCells(row: string): ReadCell[] {
  const cells: ReadCell[] = [];
  for (const { attributes, inside } of findElements(row, "c")) {
    const column = getColumnIndex(attributes.r ?? "");
    while (cells.length < column) cells.push({ type: "", style: 0, text: "" });
    const text = unescapeEntities(inside.replace(/<[^>]+>/g, ""));
    cells.push({ type: attributes.t ?? "n", style: Number(attributes.s ?? 0), text });
  }
  return cells;
}

/** Returns the index of a cell's column, such as 2 for `C7`. */
function getColumnIndex(reference: string): number {
  const letters = /^[A-Z]+/.exec(reference)?.[0] ?? "";
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Converts a serial date of a workbook. */
export const serialToDate = (serial: string): Date => new Date(Math.round((Number(serial) - 25_569) * 86_400_000));

interface Element {
  readonly attributes: Record<string, string | undefined>;
  readonly inside: string;
}

/** Returns the elements of that name. They must not be nested. */
function findElements(xml: string, name: string): Element[] {
  const found = xml.matchAll(new RegExp(`<${name}(\\s[^>]*?)?(?:/>|>(.*?)</${name}>)`, "gs"));
  return [...found].map(([, attributes = "", inside = ""]) => {
    const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)];
    const values = pairs.map(([, key, value]) => [key, unescapeEntities(value ?? "")]);
    return { attributes: Object.fromEntries(values) as Element["attributes"], inside };
  });
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

function getPart(parts: Map<string, Buffer>, name: string): string {
  const part = parts.get(name);
  if (!part) throw new Error(`The workbook has no ${name}.`);
  return part.toString("utf8");
}

function unzip(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  const parts = new Map<string, Buffer>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = file.readUInt16LE(at + 28);
    const local = file.readUInt32LE(at + 42);
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const packed = file.subarray(begin, begin + file.readUInt32LE(at + 20));
    const isPacked = file.readUInt16LE(at + 10) === 8;
    parts.set(file.toString("utf8", at + 46, at + 46 + nameLength), isPacked ? inflateRawSync(packed) : packed);
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}
