import { type FileHandle, open } from "node:fs/promises";

// Offsets and sizes are from Microsoft's "PE Format".
export const DOS_HEADER_BYTES = 64;
const PE_HEADER_BYTES = 24;
export const SECTION_BYTES = 40;
/** Maximum number of sections that the Windows loader accepts. */
export const MAX_SECTIONS = 96;
/** Offset of the directories in the 32-bit and 64-bit optional header. */
const directoriesByMagic: Readonly<Record<number, number>> = { 0x10b: 96, 0x20b: 112 };

/** An open Windows program. `read` returns null past its end. */
export type Program = NonNullable<Awaited<ReturnType<typeof readHeaders>>>;

/** Opens a file, and runs `work` with the headers of the program in it, or with null if it isn't a Windows program. */
export async function withProgram<Result>(
  path: string,
  work: (program: Program | null) => Promise<Result>,
): Promise<Result> {
  const handle = await open(path);
  try {
    return await work(await readHeaders(handle, (await handle.stat()).size));
  } finally {
    await handle.close();
  }
}

async function readHeaders(handle: FileHandle, fileBytes: number) {
  const read = async (offset: number, bytes: number): Promise<Buffer | null> => {
    if (bytes <= 0 || offset + bytes > fileBytes) return null;
    const buffer = Buffer.alloc(bytes);
    return (await handle.read(buffer, 0, bytes, offset)).bytesRead === bytes ? buffer : null;
  };
  const headerAt = (await read(0, DOS_HEADER_BYTES))?.readUInt32LE(60);
  const header = headerAt === undefined ? null : await read(headerAt, PE_HEADER_BYTES);
  if (headerAt === undefined || header?.toString("latin1", 0, 4) !== "PE\0\0") return null;
  const optionalAt = headerAt + PE_HEADER_BYTES;
  const optional = await read(optionalAt, header.readUInt16LE(20));
  const directoriesAt = optional && optional.length >= 2 ? directoriesByMagic[optional.readUInt16LE(0)] : undefined;
  if (!optional || !directoriesAt) return null;
  const sectionCount = header.readUInt16LE(6);
  return { handle, fileBytes, read, headerAt, optionalAt, optional, directoriesAt, sectionCount };
}
