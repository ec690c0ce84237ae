import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { refuseFile, shown } from "./refusals.ts";
import { faultOfPath, keyOfPath } from "./safe-path.ts";

/** A file in a zip whose place and measures are in order; its content has yet to be read. */
export interface ZippedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** The content, unpacked as it is read. @throws Error midway when it is not as long as stated. */
  open(): Promise<Readable>;
  /** Of the content as the zip states it. */
  readonly crc32: number;
}

/** What a zip of application files has at most; a real one has some tens of files and 30 MB. */
export const zipLimits = {
  entries: 1_000,
  unpackedBytes: 250_000_000,
  /** How much smaller than its content an entry of some size may be: program files come to 2 to 10. */
  ratio: 100,
  ratioFromBytes: 1_000_000,
} as const;

const refuse = (sentence: string) => refuseFile("applicationFilesZipFile", sentence);
const unreadable = () => refuse("The zip cannot be read: it is damaged or cut short.");

/**
 * Opens a zip and hands its files to `work`, once every entry's name, kind, place and stated measures were found good. No
 * content has been unpacked then.
 * @throws AppError BAD_USER_INPUT for a zip that is not to be trusted, with what is wrong about it.
 */
export async function withZip<Result>(
  path: string,
  work: (files: readonly ZippedFile[]) => Promise<Result>,
): Promise<Result> {
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(() => {
    throw unreadable();
  });
  // Without a listener a fault while it is closed would end the process.
  zip.on("error", () => {});
  try {
    return await work(await checkedFiles(zip));
  } finally {
    zip.close();
  }
}

async function checkedFiles(zip: ZipFile): Promise<ZippedFile[]> {
  if (zip.entryCount > zipLimits.entries) throw tooMany();
  const entries = await readEntries(zip);
  const files = entries.filter(({ path }) => !path.endsWith("/"));
  refuseSamePaths(entries.map(({ path }) => path));
  const total = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  if (total > zipLimits.unpackedBytes || isBlownUp(total, zip.fileSize))
    throw refuse("The zip unpacks to far more than it should.");
  await refuseOverlaps(zip, entries);
  return files.map(({ path, entry }) => ({
    path,
    sizeBytes: entry.uncompressedSize,
    crc32: entry.crc32,
    open: () =>
      zip.openReadStreamPromise(entry).catch(() => {
        throw unreadable();
      }),
  }));
}

interface NamedEntry {
  readonly path: string;
  readonly entry: Entry;
}

async function readEntries(zip: ZipFile): Promise<NamedEntry[]> {
  const entries: NamedEntry[] = [];
  const list = zip.eachEntry();
  for (;;) {
    const next = await list.next().catch(() => {
      throw unreadable();
    });
    if (next.done) return entries;
    if (entries.length >= zipLimits.entries) throw tooMany();
    const entry: Entry = next.value;
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    const path = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
    const fault = faultOfPath(path.replace(/\/$/, "")) ?? faultOfEntry(entry, path);
    if (fault) throw refuse(`The zip has an entry that ${fault}: ${shown(path)}.`);
    entries.push({ path, entry });
  }
}

function faultOfEntry(entry: Entry, path: string): string | null {
  // Where the zip was made on Unix, the upper half holds the kind of file; a link is a kind of its own.
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) return "is a link or a device";
  const isFolder = path.endsWith("/");
  if ((kind === 0o040000) !== isFolder && kind !== 0) return "is a folder by one sign and a file by another";
  if (isFolder && entry.uncompressedSize > 0) return "is a folder with content";
  if (entry.isEncrypted()) return "is encrypted";
  if (!entry.canDecodeFileData()) return "is packed in a way that is not supported";
  if (entry.uncompressedSize > zipLimits.unpackedBytes || isBlownUp(entry.uncompressedSize, entry.compressedSize))
    return "unpacks to far more than it should";
  return null;
}

function isBlownUp(unpacked: number, packed: number): boolean {
  return unpacked > zipLimits.ratioFromBytes && unpacked > packed * zipLimits.ratio;
}

const tooMany = () => refuse(`The zip has more than ${zipLimits.entries.toLocaleString("en-AU")} entries.`);

/** Refuses what would be one file on Windows, and a file that is also a folder. */
function refuseSamePaths(paths: readonly string[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const key = keyOfPath(path.replace(/\/$/, ""));
    const segments = key.split("/");
    for (let depth = 1; depth < segments.length; depth++) folders.add(segments.slice(0, depth).join("/"));
    if (path.endsWith("/")) folders.add(key);
    else if (files.has(key)) throw refuse(`The zip has an entry twice: ${shown(path)}.`);
    else files.add(key);
  }
  for (const file of files)
    if (folders.has(file)) throw refuse(`The zip has a file that is also a folder: ${shown(file)}.`);
}

/** Refuses entries that share bytes, and those whose own header says something else than the zip's list. */
async function refuseOverlaps(zip: ZipFile, entries: readonly NamedEntry[]): Promise<void> {
  const spans: { start: number; end: number }[] = [];
  for (const { path, entry } of entries) {
    const header = await zip.readLocalFileHeaderPromise(entry).catch(() => {
      throw unreadable();
    });
    const agrees =
      header.fileName.equals(entry.fileNameRaw) &&
      header.compressionMethod === entry.compressionMethod &&
      (header.generalPurposeBitFlag & 1) === 0;
    if (!agrees) throw refuse(`The zip has an entry that its list describes otherwise: ${shown(path)}.`);
    spans.push({ start: entry.relativeOffsetOfLocalHeader, end: header.fileDataStart + entry.compressedSize });
  }
  spans.sort((one, other) => one.start - other.start);
  if (spans.some(({ start }, index) => start < (spans[index - 1]?.end ?? 0)))
    throw refuse("The zip has entries that share their content.");
}

/**
 * Reads a file of a zip to its end, counting and checking what comes.
 * @returns the digests asked for, in base64.
 * @throws AppError BAD_USER_INPUT when it is not what the zip states.
 */
export async function readZipped(
  file: ZippedFile,
  digests: readonly string[],
  take: (bytes: Buffer) => void = () => {},
): Promise<string[]> {
  const hashes = digests.map((name) => createHash(name));
  let checksum = 0;
  let sizeBytes = 0;
  const content = await file.open();
  try {
    for await (const bytes of content as AsyncIterable<Buffer>) {
      checksum = crc32(bytes, checksum);
      sizeBytes += bytes.length;
      for (const hash of hashes) hash.update(bytes);
      take(bytes);
    }
  } catch {
    sizeBytes = -1;
  }
  if (sizeBytes !== file.sizeBytes || checksum !== file.crc32)
    throw refuse(`The zip has an entry that is damaged or not as long as stated: ${shown(file.path)}.`);
  return hashes.map((hash) => hash.digest("base64"));
}
