import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type SoftwareFileField, softwareFiles } from "#schema/software-upload.ts";
import type { Context } from "#api/platform/context.ts";
import { createFileError, createLargeFileError, translateFullDisk } from "./upload-errors.ts";

/** A file in the spool that was received completely. */
export interface SpooledFile {
  /** Name sent by the client, or null. */
  readonly name: string | null;
  readonly path: string;
  readonly sizeBytes: number;
}

/** The files of one upload. */
export type SpooledFiles = Partial<Record<SoftwareFileField, SpooledFile>>;

/** Writes one file in chunks. */
export interface SpoolWriter {
  /** @throws AppError PAYLOAD_TOO_LARGE above the file's size limit. */
  write(bytes: Uint8Array): Promise<void>;
  finish(name: string | null): Promise<void>;
}

/** Temporary folder for the files of one upload until they are checked and stored. */
export interface Spool {
  readonly files: SpooledFiles;
  /** @throws AppError BAD_USER_INPUT if the field already has a file. */
  begin(field: SoftwareFileField): Promise<SpoolWriter>;
  /** Writes a whole stream. After an error the caller must discard the rest of the stream. */
  receive(field: SoftwareFileField, name: string | null, content: Readable): Promise<void>;
}

/** Number of bytes to collect per write, because base64 with escapes arrives in very small chunks. */
const WRITE_BYTES = 65_536;

const getSpoolsFolder = (dataDir: string) => join(dataDir, "uploads");

/**
 * Runs `work` with a spool for one upload and deletes the spool afterwards.
 * @throws AppError UNAVAILABLE if the disk is full.
 */
export async function withSpool<Result>(
  { config }: Pick<Context, "config">,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> {
  const folder = join(getSpoolsFolder(config.dataDir), randomUUID());
  const handles = new Set<FileHandle>();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work(createSpool(folder, handles));
  } catch (error) {
    throw translateFullDisk(error);
  } finally {
    for (const handle of handles) await handle.close().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

function createSpool(folder: string, handles: Set<FileHandle>): Spool {
  const begun = new Set<SoftwareFileField>();
  const files: SpooledFiles = {};
  const begin: Spool["begin"] = async (field) => {
    if (begun.has(field)) throw createFileError(field, "Only one file can be uploaded here.");
    begun.add(field);
    const path = join(folder, field);
    const handle = await open(path, "wx", 0o600);
    handles.add(handle);
    let sizeBytes = 0;
    let buffered: Uint8Array[] = [];
    let bufferedBytes = 0;
    const flush = async () => {
      const bytes = Buffer.concat(buffered);
      buffered = [];
      bufferedBytes = 0;
      await handle.writeFile(bytes);
    };
    return {
      async write(bytes) {
        sizeBytes += bytes.length;
        if (sizeBytes > softwareFiles[field].maxBytes) throw createLargeFileError(field);
        buffered.push(bytes);
        bufferedBytes += bytes.length;
        if (bufferedBytes >= WRITE_BYTES) await flush();
      },
      async finish(name) {
        await flush();
        await handle.close();
        handles.delete(handle);
        files[field] = { name, path, sizeBytes };
      },
    };
  };
  return {
    files,
    begin,
    async receive(field, name, content) {
      const writer = await begin(field);
      for await (const bytes of content.iterator({ destroyOnReturn: false })) await writer.write(bytes as Uint8Array);
      await writer.finish(name);
    },
  };
}

/** Temporary files that graphql-upload writes to the system's temporary folder. */
const capacitorFile = /^capacitor-[\da-f]{32}\.tmp$/;

/** Deletes files left by interrupted uploads that were last changed before `before`, and returns their number. */
export async function deleteOrphanedSpools(dataDir: string, before: Date): Promise<number> {
  const namesIn = (folder: string) => readdir(folder).catch(() => [] as string[]);
  const candidates = [
    ...(await namesIn(getSpoolsFolder(dataDir))).map((name) => join(getSpoolsFolder(dataDir), name)),
    ...(await namesIn(tmpdir())).filter((name) => capacitorFile.test(name)).map((name) => join(tmpdir(), name)),
  ];
  let deleted = 0;
  for (const path of candidates) {
    const stats = await stat(path).catch(() => null);
    if (!stats || stats.mtime >= before) continue;
    // Skip files of other system users, which can't be deleted.
    await rm(path, { recursive: true, force: true }).then(
      () => deleted++,
      () => {},
    );
  }
  return deleted;
}
