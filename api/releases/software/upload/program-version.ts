import { type FileHandle, open } from "node:fs/promises";

// Offsets and sizes are from Microsoft's "PE Format" and VS_FIXEDFILEINFO.
const DOS_HEADER_BYTES = 64;
const PE_HEADER_BYTES = 24;
const SECTION_BYTES = 40;
/** Maximum number of sections that the Windows loader accepts. */
const MAX_SECTIONS = 96;
const MAX_ENTRIES = 1_024;
const VERSION_TYPE = 16;
const MAX_VERSION_BYTES = 65_536;
const FIXED_INFO_SIGNATURE = Buffer.from([0xbd, 0x04, 0xef, 0xfe]);
const FIXED_INFO_BYTES = 24;

/**
 * Returns the product version, else the file version, in the resources of a Windows program. Reads only the headers and
 * resource entries that lead to it, so that a malicious file costs no more than a valid one.
 * @returns null if there is no version, or the file isn't a valid Windows program.
 */
export async function readProgramVersion(path: string): Promise<number[] | null> {
  const handle = await open(path);
  try {
    return await findVersion(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

interface Section {
  readonly address: number;
  readonly bytes: number;
  readonly offset: number;
}

async function findVersion(handle: FileHandle, fileBytes: number): Promise<number[] | null> {
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
  const resourcesAt = optional && getResourcesAddress(optional);
  if (!resourcesAt) return null;
  const count = Math.min(header.readUInt16LE(6), MAX_SECTIONS);
  const table = await read(headerAt + PE_HEADER_BYTES + optional.length, count * SECTION_BYTES);
  if (!table) return null;
  const sections = Array.from({ length: count }, (_, index) => readSection(table, index * SECTION_BYTES));
  const toFileOffset = (address: number): number | null => {
    const section = sections.find((one) => address >= one.address && address < one.address + one.bytes);
    return section ? section.offset + address - section.address : null;
  };

  const root = toFileOffset(resourcesAt);
  if (root === null) return null;
  const readEntries = async (offset: number): Promise<[id: number, target: number][]> => {
    const head = await read(root + offset, 16);
    const entries = head ? Math.min(head.readUInt16LE(12) + head.readUInt16LE(14), MAX_ENTRIES) : 0;
    const list = await read(root + offset + 16, entries * 8);
    return Array.from({ length: list ? entries : 0 }, (_, index) => [
      list?.readUInt32LE(index * 8) ?? 0,
      list?.readUInt32LE(index * 8 + 4) ?? 0,
    ]);
  };
  // The resource tree has exactly three levels: type, name, language.
  const names = getFolderOffset((await readEntries(0)).find(([id]) => id === VERSION_TYPE)?.[1]);
  const languages = names === null ? null : getFolderOffset((await readEntries(names))[0]?.[1]);
  const leaf = languages === null ? undefined : (await readEntries(languages))[0]?.[1];
  const data = leaf === undefined || getFolderOffset(leaf) !== null ? null : await read(root + leaf, 16);
  const infoAt = data && toFileOffset(data.readUInt32LE(0));
  const info = data && infoAt !== null ? await read(infoAt, Math.min(data.readUInt32LE(4), MAX_VERSION_BYTES)) : null;
  return info && readFixedInfo(info);
}

/** Returns the address of the resources from the 32-bit or 64-bit optional header, or null if there are none. */
function getResourcesAddress(optional: Buffer): number | null {
  if (optional.length < 2) return null;
  const directoriesAt = { 0x10b: 96, 0x20b: 112 }[optional.readUInt16LE(0)];
  if (!directoriesAt || optional.length < directoriesAt + 24) return null;
  return optional.readUInt32LE(directoriesAt + 16) || null;
}

function readSection(table: Buffer, at: number): Section {
  return {
    address: table.readUInt32LE(at + 12),
    bytes: Math.max(table.readUInt32LE(at + 8), table.readUInt32LE(at + 16)),
    offset: table.readUInt32LE(at + 20),
  };
}

/** Returns the offset of the folder that an entry points to, or null if it points to data. */
function getFolderOffset(target: number | undefined): number | null {
  return target !== undefined && target >= 0x8000_0000 ? target - 0x8000_0000 : null;
}

function readFixedInfo(info: Buffer): number[] | null {
  const at = info.indexOf(FIXED_INFO_SIGNATURE);
  if (at < 0 || info.length < at + FIXED_INFO_BYTES) return null;
  const partsAt = (offset: number) => [2, 0, 6, 4].map((word) => info.readUInt16LE(at + offset + word));
  return [partsAt(16), partsAt(8)].find((parts) => parts.some((part) => part > 0)) ?? null;
}
