import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file without the extensions for big ones holds, and begins, no further than here. */
const MOST_BYTES = 0xffff_ffff;

/** Version 2.0: folders and deflate. */
const VERSION = 20;
/** Sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1 January 1980, where a zip's calendar begins: a report's moment is in its name. */
const DATE = 0x0021;

interface Entry {
  readonly name: Buffer;
  readonly at: number;
  crc: number;
  packedBytes: number;
  bytes: number;
}

/** Writes a zip while its files are being made. @throws Error for what grows beyond four gigabytes. */
export class ZipWriter {
  readonly #entries: Entry[] = [];
  #at = 0;

  /** One file, packed as it comes. Each is to be read to its end before the next begins. */
  async *add(name: string, content: Iterable<string | Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const entry: Entry = { name: Buffer.from(name), at: this.#at, crc: 0, packedBytes: 0, bytes: 0 };
    this.#entries.push(entry);
    yield this.#written(localHeader(entry));
    // Level 1 packs rows that are alike nearly as small as 6, in a third of the time.
    const packed = createDeflateRaw({ level: 1, chunkSize: 128 * 1_024 });
    pipeline(
      Readable.from(counted(content, entry), { objectMode: false, highWaterMark: 256 * 1_024 }),
      packed,
      () => {},
    );
    for await (const part of packed as AsyncIterable<Buffer>) {
      entry.packedBytes += part.length;
      yield this.#written(part);
    }
    yield this.#written(descriptor(entry));
    if (Math.max(this.#at, entry.bytes) > MOST_BYTES) throw new Error("A report is too long for a workbook.");
  }

  /** The directory, with which the zip ends. */
  end(): Buffer {
    const directory = Buffer.concat(this.#entries.map(directoryEntry));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#at, 16);
    return Buffer.concat([directory, end]);
  }

  #written(part: Buffer): Buffer {
    this.#at += part.length;
    return part;
  }
}

async function* counted(
  content: Iterable<string | Buffer> | AsyncIterable<Buffer>,
  entry: Entry,
): AsyncGenerator<Buffer> {
  for await (const one of content) {
    const part = typeof one === "string" ? Buffer.from(one) : one;
    entry.crc = crc32(part, entry.crc);
    entry.bytes += part.length;
    yield part;
  }
}

function localHeader({ name }: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(DATE, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function descriptor({ crc, packedBytes, bytes }: Entry): Buffer {
  const after = Buffer.alloc(16);
  after.writeUInt32LE(0x08074b50, 0);
  after.writeUInt32LE(crc, 4);
  after.writeUInt32LE(packedBytes, 8);
  after.writeUInt32LE(bytes, 12);
  return after;
}

function directoryEntry({ name, at, crc, packedBytes, bytes }: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(VERSION, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(DEFLATE, 10);
  header.writeUInt16LE(DATE, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packedBytes, 20);
  header.writeUInt32LE(bytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(at, 42);
  return Buffer.concat([header, name]);
}
