/** A row of an XER table by field name. */
export type XerRow = Readonly<Record<string, string>>;

/**
 * Reads the tables of an XER file by name.
 * @throws {Error} if the file has no header or no end, or a row has the wrong number of fields
 */
export function readXer(text: string): ReadonlyMap<string, readonly XerRow[]> {
  const lines = text.split(/\r?\n/).filter(Boolean);
  if (!lines[0]?.startsWith("ERMHDR\t")) throw new Error("The XER file has no header.");
  if (lines.at(-1) !== "%E") throw new Error("The XER file has no end.");
  const tables = new Map<string, XerRow[]>();
  let rows: XerRow[] = [];
  let fields: readonly string[] = [];
  for (const line of lines.slice(1, -1)) {
    const [mark = "", ...values] = line.split("\t");
    if (mark === "%T") {
      rows = [];
      tables.set(values[0] ?? "", rows);
    } else if (mark === "%F") fields = values;
    else if (mark === "%R" && values.length === fields.length)
      rows.push(Object.fromEntries(fields.map((field, index) => [field, values[index] ?? ""])));
    else throw new Error(`The XER file has an invalid line: ${line.slice(0, 80)}`);
  }
  return tables;
}
