import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { bulkColumns } from "#schema/bulk-columns.ts";
import type { BulkKind } from "#schema/bulk-run.ts";
import type { BulkRun } from "#api/staff/bulk/bulk-run.entity.ts";
import { formatRunName } from "#api/staff/bulk/claim-run.ts";
import { inspectFile } from "#api/staff/bulk/inspect-file.ts";
import { readHeader, readRecords } from "#api/staff/bulk/read-records.ts";
import { generateLicenceCode, generateSupportCode } from "#api/licensing/licences/licence-code.ts";

/** Splits a file into chunks of a few bytes, so that characters, quotes and line ends are cut anywhere. */
function toChunks(content: Uint8Array, size: number): Readable {
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length; at += size) parts.push(Buffer.from(content.subarray(at, at + size)));
  return Readable.from(parts);
}

async function read(content: string | Uint8Array, size = 3) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const form = await inspectFile(toChunks(bytes, size));
  const records: (readonly string[])[] = [];
  const rowNumbers: number[] = [];
  for await (const { cells, rowNumber } of readRecords(toChunks(bytes, size), form)) {
    records.push(cells);
    rowNumbers.push(rowNumber);
  }
  return { ...form, records, rowNumbers };
}

const utf16 = (text: string, isBig = false): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};
const windows1252 = (text: string) => Uint8Array.from(text, (letter) => (letter === "–" ? 0x96 : letter.charCodeAt(0)));

const plain = [
  ["name", "city"],
  ["Zoë", "Köln"],
];
const files: [form: string, content: string | Uint8Array, encoding: string, separator: string][] = [
  ["UTF-8", "name,city\nZoë,Köln\n", "UTF-8", ","],
  ["a byte order mark", "\ufeffname,city\nZoë,Köln", "UTF-8", ","],
  ["semicolons", "name;city\r\nZoë;Köln\r\n", "UTF-8", ";"],
  ["tabs", "name\tcity\rZoë\tKöln\r", "UTF-8", "\t"],
  ["Excel's sep= line", "sep=;\r\nname;city\r\nZoë;Köln", "UTF-8", ";"],
  ["Windows-1252", windows1252("name,city\nZoë,Köln\n"), "Windows-1252", ","],
  ["UTF-16, little-endian", utf16("name\tcity\r\nZoë\tKöln\r\n"), "UTF-16", "\t"],
  ["UTF-16, big-endian", utf16("name,city\nZoë,Köln\n", true), "UTF-16", ","],
  ["empty rows first", "\r\n\r\nname;city\r\nZoë;Köln", "UTF-8", ";"],
  ["empty rows in between", "name,city\n\n,\nZoë,Köln\n\n\n", "UTF-8", ","],
  ["line ends that differ", 'name,city\n"Zoë","Köln"\r\n', "UTF-8", ","],
  ["line ends that differ, the longer ones first", "name,city\r\nZoë,Köln\n", "UTF-8", ","],
];
test("reads a file in every encoding and with every separator", async () => {
  for (const [form, content, encoding, separator] of files)
    for (const size of [1, 3, 1_000])
      expect([form, await read(content, size)]).toMatchObject([form, { records: plain, encoding, separator }]);
});

test("numbers rows as a spreadsheet does", async () => {
  expect((await read('a,b\n\n"x\r\ny",2\n3,4\n')).rowNumbers).toEqual([1, 3, 4]);
});

test.each<[string, string, string[]]>([
  ["a quoted line break", '"x\r\ny",2', ["x\r\ny", "2"]],
  ["a quoted separator", '"x,y",2', ["x,y", "2"]],
  ["a doubled quote", '"x ""y""",2', ['x "y"', "2"]],
  ["a quote in the middle", 'Ada "Countess" Byron,2', ['Ada "Countess" Byron', "2"]],
  ["spaces around it", "  x  ,\u00a02\t", ["x", "2"]],
  ["a formula, kept as text", "=1+1,@SUM(A1)", ["=1+1", "@SUM(A1)"]],
  ["a text written as a formula", '"=""0412""",="007"', ["0412", "007"]],
  ["an apostrophe added by an export", "'+61 400 000 000,'=1", ["+61 400 000 000", "=1"]],
  ["a leading apostrophe in a name", "'t Hart,'", ["'t Hart", "'"]],
  ["another separator in the cells", "a;b;c,2", ["a;b;c", "2"]],
])("reads a cell with %s", async (_name, row, cells) => {
  expect((await read(`one,two\n${row}\n`)).records[1]).toEqual(cells);
});

test("detects Windows-1252 from a single invalid byte near the end", async () => {
  const content = Buffer.concat([Buffer.from(`name\n${"Ada\n".repeat(50_000)}`), Buffer.from([0x45, 0xe9, 0x0a])]);
  const { encoding, records } = await read(content, 65_536);
  expect([encoding, records.at(-1)]).toEqual(["Windows-1252", ["Eé"]]);
  // The last character is incomplete in UTF-8.
  expect((await read(Buffer.from([0x61, 0x0a, 0xc3]))).encoding).toBe("Windows-1252");
});

test.each<[string, string | Uint8Array, RegExp]>([
  ["an empty file", "", /is empty/],
  ["a workbook", Buffer.from("PK\u0003\u0004rest"), /workbook or an archive/],
  ["an old workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), /old Excel workbook/],
  ["a PDF", "%PDF-1.7", /PDF/],
  ["a compressed file", Buffer.from([0x1f, 0x8b, 8, 0]), /compressed/],
  ["NUL characters", "a,b\nx\0y,2", /NUL/],
  ["NUL characters in UTF-16", utf16("a,b\nx\0y,2"), /NUL/],
  ["control characters", "a,b\nx\u0001y,2", /not a text file/],
  ["a quote that is never closed", `a,b\n1,2\n"x,2\n3,4\n`, /After row 2: a quotation mark/],
  ["a quote that is never closed in a big file", `a,b\n"x,2\n${"3,4\n".repeat(100_000)}`, /After row 1: a quotation/],
])("rejects %s", async (_name, content, message) => {
  await expect(read(content, 65_536)).rejects.toThrow(message);
});

const readColumnNames = (kind: BulkKind, cells: string[]) =>
  readHeader(kind, cells).columns.map((column) => column?.name ?? null);

test("readHeader finds the columns by API name and by label, in any case", () => {
  for (const kind of Object.keys(bulkColumns) as BulkKind[]) {
    const names = bulkColumns[kind].map(({ name }) => name);
    const labels = bulkColumns[kind].map(({ label }) => label);
    for (const cells of [
      names,
      names.map((name) => name.toUpperCase()),
      labels.map((label) => ` ${label.toLowerCase()}* `),
      labels.map((label) => label.replaceAll(" ", "_")),
    ])
      expect(readColumnNames(kind, cells)).toEqual(names);
  }
});

test("readHeader rejects missing and duplicate columns, and ignores unknown ones", () => {
  const all = bulkColumns["import-users"].map(({ label }) => label);
  expect(() => readHeader("import-users", [...all, "mobile"])).toThrow("The column “Phone” occurs more than once.");
  expect(() => readHeader("import-users", ["Email", "State"])).toThrow("The column “First Name” is missing.");
  const { columns, notes } = readHeader("import-users", [...all, "Shoe Size", ""]);
  expect(columns.slice(-2)).toEqual([null, null]);
  expect(notes).toEqual(["The column “Shoe Size” is unknown and will be ignored."]);
  // Without splitting a character.
  const [note] = readHeader("import-users", [...all, `${"a".repeat(59)}😀`]).notes;
  expect(note).toBe(`The column “${"a".repeat(59)}\ufffd” is unknown and will be ignored.`);
  expect(() => readHeader("import-users", ["Ada", "Byron"])).toThrow(/first row must name the columns/);
});

test("readHeader accepts a list of codes without a header", () => {
  for (const code of [
    generateSupportCode(),
    generateLicenceCode(),
    generateLicenceCode().toLowerCase().replaceAll("-", " "),
  ])
    expect(readHeader("extend-licences", [code])).toMatchObject({ isRow: true });
  expect(() => readHeader("extend-licences", ["S-00000001"])).toThrow(/name the columns/);
  expect(() => readHeader("import-users", [generateSupportCode()])).toThrow(/name the columns/);
});

test("names a run after a long file name without half a character", () => {
  for (const letter of ["", "a"]) {
    const name = formatRunName({ kind: "import-users", fileName: letter + "😀".repeat(125) } as BulkRun);
    expect([name.length, name.isWellFormed()]).toEqual([255, true]);
  }
});
