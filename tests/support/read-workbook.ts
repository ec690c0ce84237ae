import { inflateRawSync } from "node:zlib";

/** A cell as the file has it: its type (`t`), style (`s`) and what stands in it. */
export interface ReadCell {
  readonly type: string;
  readonly style: number;
  readonly text: string;
}

/**
 * Reads a workbook with nothing of what wrote it: the zip's directory and the parts' XML by hand.
 * @returns the rows of the first sheet, and the number format of each cell style
 */
export function readWorkbook(file: Buffer): { rows: ReadCell[][]; formats: string[] } {
  const parts = unzip(file);
  const sheet = partOf(parts, "xl/worksheets/sheet1.xml");
  const styles = partOf(parts, "xl/styles.xml");
  const custom = new Map(
    elements(styles, "numFmt").map(({ attributes }) => [attributes.numFmtId, attributes.formatCode ?? ""]),
  );
  const [xfs] = elements(styles, "cellXfs");
  return {
    formats: elements(xfs?.inside ?? "", "xf").map(({ attributes }) => custom.get(attributes.numFmtId) ?? ""),
    rows: elements(sheet, "row").map(({ inside }) => cellsOf(inside)),
  };
}

/** The cells of a row in their columns; an empty one is left out in the file. */
function cellsOf(row: string): ReadCell[] {
  const cells: ReadCell[] = [];
  for (const { attributes, inside } of elements(row, "c")) {
    const column = columnOf(attributes.r ?? "");
    while (cells.length < column) cells.push({ type: "", style: 0, text: "" });
    cells.push({
      type: attributes.t ?? "n",
      style: Number(attributes.s ?? 0),
      text: unescaped(inside.replace(/<[^>]+>/g, "")),
    });
  }
  return cells;
}

/** `C7` is 2. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]+/.exec(reference)?.[0] ?? "";
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A moment from a workbook's day count. */
export function momentOfSerial(serial: string): Date {
  return new Date(Math.round((Number(serial) - 25_569) * 86_400_000));
}

interface Element {
  readonly attributes: Record<string, string | undefined>;
  readonly inside: string;
}

/** The elements of that name, none of which holds another of its own name. */
function elements(xml: string, name: string): Element[] {
  const found = xml.matchAll(new RegExp(`<${name}(\\s[^>]*?)?(?:/>|>(.*?)</${name}>)`, "gs"));
  return [...found].map(([, attributes = "", inside = ""]) => ({
    attributes: Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, unescaped(value ?? "")]),
    ),
    inside,
  }));
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

function partOf(parts: Map<string, Buffer>, name: string): string {
  const part = parts.get(name);
  if (!part) throw new Error(`The workbook lacks ${name}.`);
  return part.toString("utf8");
}

/** The files of a zip by its central directory. */
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
