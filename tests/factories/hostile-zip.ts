import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** Additional entry of a hostile zip. */
export interface HostileEntry {
  readonly path: string;
  readonly content?: Buffer;
  readonly mode?: number;
  readonly compress?: boolean;
}

/** Creates a zip of these files followed by `entries`. */
export function buildHostileZip(files: ReadonlyMap<string, Buffer>, entries: readonly HostileEntry[]): Promise<Buffer> {
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

/** Creates a zip of these files with an additional entry of any `name`, even one that the zip library rejects. */
export async function buildZipWithName(files: ReadonlyMap<string, Buffer>, name: string): Promise<Buffer> {
  const wanted = Buffer.from(name);
  const placeholder = "q".repeat(wanted.length);
  const zip = await buildHostileZip(files, [{ path: placeholder }]);
  return replaceBytes(zip, Buffer.from(placeholder), wanted);
}

/** Returns a copy of the zip with a changed central directory record of entry `index`. */
export function changeRecord(zip: Buffer, index: number, change: (record: Buffer) => void): Buffer {
  const changed = Buffer.from(zip);
  let at = -1;
  for (let count = 0; count <= index; count++) {
    at = changed.indexOf("PK\x01\x02", at + 1, "latin1");
    if (at < 0) throw new Error(`the zip has no entry ${index}`);
  }
  change(changed.subarray(at));
  return changed;
}

/** Creates a zip whose last entry lies inside the content of the entry before it. */
export async function buildOverlappingZip(files: ReadonlyMap<string, Buffer>, folder: string): Promise<Buffer> {
  const inner = { path: `${folder}/inner.bin`, content: Buffer.from("inside"), compress: false };
  const alone = await buildHostileZip(new Map(), [inner]);
  const innerBytes = alone.subarray(0, alone.indexOf("PK\x01\x02", 0, "latin1"));
  const outer = { path: `${folder}/outer.bin`, content: Buffer.from(innerBytes), compress: false };
  const zip = await buildHostileZip(files, [outer, inner]);
  const start = zip.indexOf(innerBytes);
  return changeRecord(zip, files.size + 1, (record) => record.writeUInt32LE(start, 42));
}

function replaceBytes(bytes: Buffer, from: Buffer, to: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + to.length)) to.copy(changed, at);
  return changed;
}
