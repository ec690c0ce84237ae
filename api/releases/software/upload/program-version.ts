import { MAX_SECTIONS, type Program, SECTION_BYTES, withProgram } from "./program-headers.ts";

// Offsets and sizes are from Microsoft's "PE Format" and VS_FIXEDFILEINFO.
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
export function readProgramVersion(path: string): Promise<number[] | null> {
  return withProgram(path, async (program) => program && findVersion(program));
}

interface Section {
  readonly address: number;
  readonly bytes: number;
  readonly offset: number;
}

async function findVersion({
  read,
  optionalAt,
  optional,
  directoriesAt,
  sectionCount,
}: Program): Promise<number[] | null> {
  // The address of the resources, or 0 if there are none.
  const resourcesAt = optional.length < directoriesAt + 24 ? 0 : optional.readUInt32LE(directoriesAt + 16);
  if (resourcesAt === 0) return null;
  const count = Math.min(sectionCount, MAX_SECTIONS);
  const table = await read(optionalAt + optional.length, count * SECTION_BYTES);
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
