import { type FileHandle, open } from "node:fs/promises";

// Offsets and sizes are those of Microsoft's "PE Format" and of VS_FIXEDFILEINFO.
const DOS_HEADER_BYTES = 64;
const PE_HEADER_BYTES = 24;
const SECTION_BYTES = 40;
/** What Windows' loader takes at most. */
const MOST_SECTIONS = 96;
const MOST_ENTRIES = 1_024;
const VERSION_TYPE = 16;
const LARGEST_VERSION_BYTES = 65_536;
const FIXED_INFO_MARK = Buffer.from([0xbd, 0x04, 0xef, 0xfe]);
const FIXED_INFO_BYTES = 24;

/**
 * The version that a Windows program states in its resources: of the product, else of the file. Reads the few places
 * that lead there and nothing else, so that a file made to mislead costs no more than a good one.
 * @returns null when it states none, or is no program that Windows would load.
 */
export async function programVersionOf(path: string): Promise<number[] | null> {
  const handle = await open(path);
  try {
    return await find(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

interface Section {
  readonly address: number;
  readonly bytes: number;
  readonly offset: number;
}

async function find(handle: FileHandle, fileBytes: number): Promise<number[] | null> {
  const read = async (offset: number, bytes: number): Promise<Buffer | null> => {
    if (bytes <= 0 || offset + bytes > fileBytes) return null;
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, offset);
    return bytesRead === bytes ? buffer : null;
  };
  const headerAt = (await read(0, DOS_HEADER_BYTES))?.readUInt32LE(60);
  const header = headerAt === undefined ? null : await read(headerAt, PE_HEADER_BYTES);
  if (headerAt === undefined || header?.toString("latin1", 0, 4) !== "PE\0\0") return null;
  const optional = await read(headerAt + PE_HEADER_BYTES, header.readUInt16LE(20));
  const resourcesAt = optional && addressOfResources(optional);
  if (!resourcesAt) return null;
  const count = Math.min(header.readUInt16LE(6), MOST_SECTIONS);
  const table = await read(headerAt + PE_HEADER_BYTES + optional.length, count * SECTION_BYTES);
  if (!table) return null;
  const sections = Array.from({ length: count }, (_, index) => sectionAt(table, index * SECTION_BYTES));
  const offsetOf = (address: number): number | null => {
    const section = sections.find((one) => address >= one.address && address < one.address + one.bytes);
    return section ? section.offset + address - section.address : null;
  };

  const root = offsetOf(resourcesAt);
  if (root === null) return null;
  const entriesAt = async (offset: number): Promise<[id: number, target: number][]> => {
    const head = await read(root + offset, 16);
    const entries = head ? Math.min(head.readUInt16LE(12) + head.readUInt16LE(14), MOST_ENTRIES) : 0;
    const list = await read(root + offset + 16, entries * 8);
    return Array.from({ length: list ? entries : 0 }, (_, index) => [
      list?.readUInt32LE(index * 8) ?? 0,
      list?.readUInt32LE(index * 8 + 4) ?? 0,
    ]);
  };
  // Type, name, language: three steps and no more, wherever they point.
  const names = folderOf((await entriesAt(0)).find(([id]) => id === VERSION_TYPE)?.[1]);
  const languages = names === null ? null : folderOf((await entriesAt(names))[0]?.[1]);
  const leaf = languages === null ? undefined : (await entriesAt(languages))[0]?.[1];
  const data = leaf === undefined || folderOf(leaf) !== null ? null : await read(root + leaf, 16);
  const infoAt = data && offsetOf(data.readUInt32LE(0));
  const info =
    data && infoAt !== null ? await read(infoAt, Math.min(data.readUInt32LE(4), LARGEST_VERSION_BYTES)) : null;
  return info && versionIn(info);
}

/** Of the 32-bit or 64-bit optional header; null where there are no resources. */
function addressOfResources(optional: Buffer): number | null {
  if (optional.length < 2) return null;
  const directoriesAt = { 0x10b: 96, 0x20b: 112 }[optional.readUInt16LE(0)];
  if (!directoriesAt || optional.length < directoriesAt + 24) return null;
  return optional.readUInt32LE(directoriesAt + 16) || null;
}

function sectionAt(table: Buffer, at: number): Section {
  return {
    address: table.readUInt32LE(at + 12),
    bytes: Math.max(table.readUInt32LE(at + 8), table.readUInt32LE(at + 16)),
    offset: table.readUInt32LE(at + 20),
  };
}

/** Where an entry leads when it is a folder of others. */
function folderOf(target: number | undefined): number | null {
  return target !== undefined && target >= 0x8000_0000 ? target - 0x8000_0000 : null;
}

function versionIn(info: Buffer): number[] | null {
  const at = info.indexOf(FIXED_INFO_MARK);
  if (at < 0 || info.length < at + FIXED_INFO_BYTES) return null;
  const partsAt = (offset: number) => [2, 0, 6, 4].map((word) => info.readUInt16LE(at + offset + word));
  return [partsAt(16), partsAt(8)].find((parts) => parts.some((part) => part > 0)) ?? null;
}
