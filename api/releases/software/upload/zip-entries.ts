import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { createFileError, quoteName } from "./upload-errors.ts";
import { findPathError, toPathKey } from "./safe-path.ts";
import { formatNumber } from "#schema/numbers.ts";

/** A file in a zip. Its name and sizes have been checked, but its content hasn't been read yet. */
export interface ZippedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /**
   * Opens the unpacked content.
   * @throws Error while reading if its length differs from the stated size.
   */
  open(): Promise<Readable>;
  /** Checksum of the content, as stated by the zip. */
  readonly crc32: number;
}

/** Limits for a zip of application files. A typical one has dozens of files and 30 MB. */
const zipLimits = {
  entries: 1_000,
  unpackedBytes: 250_000_000,
  /** Highest compression ratio of an entry of at least `ratioFromBytes`. Program files reach 2 to 10. */
  ratio: 100,
  ratioFromBytes: 1_000_000,
} as const;

const rejectZip = (sentence: string) => createFileError("applicationFilesZipFile", sentence);
const unreadable = () => rejectZip("The zip cannot be read: it is damaged or cut short.");

/**
 * Opens a zip, checks the name, type, position and stated sizes of every entry, and runs `work` with its files. Unpacks
 * nothing before these checks.
 * @throws AppError BAD_USER_INPUT with the reason if the zip is malformed or suspicious.
 */
export async function withZip<Result>(
  path: string,
  work: (files: readonly ZippedFile[]) => Promise<Result>,
): Promise<Result> {
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(() => {
    throw unreadable();
  });
  // Without a listener, an error on closing would end the process.
  zip.on("error", () => {});
  try {
    return await work(await readFiles(zip));
  } finally {
    zip.close();
  }
}

async function readFiles(zip: ZipFile): Promise<ZippedFile[]> {
  if (zip.entryCount > zipLimits.entries) throw tooMany();
  const entries = await readEntries(zip);
  const files = entries.filter(({ path }) => !path.endsWith("/"));
  rejectDuplicatePaths(entries.map(({ path }) => path));
  const total = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  if (total > zipLimits.unpackedBytes || exceedsRatio(total, zip.fileSize))
    throw rejectZip("The zip unpacks to far more data than expected.");
  await rejectOverlaps(zip, entries);
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
    const problem = findPathError(path.replace(/\/$/, "")) ?? findEntryProblem(entry, path);
    if (problem) throw rejectZip(`The zip has an entry that ${problem}: ${quoteName(path)}.`);
    entries.push({ path, entry });
  }
}

function findEntryProblem(entry: Entry, path: string): string | null {
  // In zips made on Unix, the upper half contains the file type, which also identifies links.
  const fileType = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (fileType !== 0 && fileType !== 0o100000 && fileType !== 0o040000) return "is a link or a device";
  const isFolder = path.endsWith("/");
  if ((fileType === 0o040000) !== isFolder && fileType !== 0) return "is marked both as a folder and as a file";
  if (isFolder && entry.uncompressedSize > 0) return "is a folder with content";
  if (entry.isEncrypted()) return "is encrypted";
  if (!entry.canDecodeFileData()) return "uses a compression method that is not supported";
  if (entry.uncompressedSize > zipLimits.unpackedBytes || exceedsRatio(entry.uncompressedSize, entry.compressedSize))
    return "unpacks to far more data than expected";
  return null;
}

function exceedsRatio(unpacked: number, packed: number): boolean {
  return unpacked > zipLimits.ratioFromBytes && unpacked > packed * zipLimits.ratio;
}

const tooMany = () => rejectZip(`The zip has more than ${formatNumber(zipLimits.entries)} entries.`);

/** Rejects paths that name the same file on Windows, and paths that are both a file and a folder. */
function rejectDuplicatePaths(paths: readonly string[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const key = toPathKey(path.replace(/\/$/, ""));
    const segments = key.split("/");
    for (let depth = 1; depth < segments.length; depth++) folders.add(segments.slice(0, depth).join("/"));
    if (path.endsWith("/")) folders.add(key);
    else if (files.has(key)) throw rejectZip(`The zip has an entry twice: ${quoteName(path)}.`);
    else files.add(key);
  }
  for (const file of files)
    if (folders.has(file)) throw rejectZip(`The zip has a file that is also a folder: ${quoteName(file)}.`);
}

/** Rejects entries that overlap, and entries whose local header differs from the central directory. */
async function rejectOverlaps(zip: ZipFile, entries: readonly NamedEntry[]): Promise<void> {
  const spans: { start: number; end: number }[] = [];
  for (const { path, entry } of entries) {
    const header = await zip.readLocalFileHeaderPromise(entry).catch(() => {
      throw unreadable();
    });
    const agrees =
      header.fileName.equals(entry.fileNameRaw) &&
      header.compressionMethod === entry.compressionMethod &&
      (header.generalPurposeBitFlag & 1) === 0;
    if (!agrees) throw rejectZip(`The zip has an entry whose header differs from its directory: ${quoteName(path)}.`);
    spans.push({ start: entry.relativeOffsetOfLocalHeader, end: header.fileDataStart + entry.compressedSize });
  }
  spans.sort((one, other) => one.start - other.start);
  if (spans.some(({ start }, index) => start < (spans[index - 1]?.end ?? 0)))
    throw rejectZip("The zip has entries that share their content.");
}

/**
 * Reads a file from a zip to its end and checks its size and checksum.
 * @returns the requested digests, in base64.
 * @throws AppError BAD_USER_INPUT if the content differs from what the zip states.
 */
export async function readZippedFile(
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
    throw rejectZip(`The zip has an entry that is damaged or not as long as stated: ${quoteName(file.path)}.`);
  return hashes.map((hash) => hash.digest("base64"));
}
