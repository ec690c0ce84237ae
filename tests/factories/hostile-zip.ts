import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** An entry that the tools of the tests would make themselves. */
export interface HostileEntry {
  readonly path: string;
  readonly content?: Buffer;
  readonly mode?: number;
  readonly compress?: boolean;
}

/** A zip of these files with more entries after them. */
export function zipWith(files: ReadonlyMap<string, Buffer>, entries: readonly HostileEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of files) zip.addBuffer(content, path, { mtime: new Date(0) });
  for (const { path, content = Buffer.from("x"), mode, compress } of entries)
    zip.addBuffer(content, path, {
      mtime: new Date(0),
      ...(mode === undefined ? {} : { mode }),
      ...(compress === undefined ? {} : { compress }),
    });
  zip.end();
  return buffer(zip.outputStream);
}

/** A zip whose entry `written` is called `name` wherever its name stands; both have as many bytes. */
export async function zipWithName(files: ReadonlyMap<string, Buffer>, name: string): Promise<Buffer> {
  const wanted = Buffer.from(name);
  const written = "q".repeat(wanted.length);
  const zip = await zipWith(files, [{ path: written }]);
  return replaced(zip, Buffer.from(written), wanted);
}

/** A zip in which the record of its list that describes the `index`th entry was changed. */
export function withRecord(zip: Buffer, index: number, change: (record: Buffer) => void): Buffer {
  const changed = Buffer.from(zip);
  let at = -1;
  for (let count = 0; count <= index; count++) {
    at = changed.indexOf("PK\x01\x02", at + 1, "latin1");
    if (at < 0) throw new Error("no such entry");
  }
  change(changed.subarray(at));
  return changed;
}

/** A zip whose last entry lies within the content of the one before it. */
export async function zipWithOverlap(files: ReadonlyMap<string, Buffer>, folder: string): Promise<Buffer> {
  const inner = { path: `${folder}/inner.bin`, content: Buffer.from("inside"), compress: false };
  const alone = await zipWith(new Map(), [inner]);
  const innerBytes = alone.subarray(0, alone.indexOf("PK\x01\x02", 0, "latin1"));
  const outer = { path: `${folder}/outer.bin`, content: Buffer.from(innerBytes), compress: false };
  const zip = await zipWith(files, [outer, inner]);
  const start = zip.indexOf(innerBytes);
  return withRecord(zip, files.size + 1, (record) => record.writeUInt32LE(start, 42));
}

function replaced(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + to.length)) to.copy(changed, at);
  return changed;
}
