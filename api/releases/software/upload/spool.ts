import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type SoftwareFileField, softwareFiles } from "#schema/software-files.ts";
import type { Context } from "#api/platform/context.ts";
import { refuseFile, refuseLargeFile, sayWhenDiskIsFull } from "./refusals.ts";

/** A file that has arrived whole, in the spool. */
export interface SpooledFile {
  /** What its sender calls it; null when they did not say. */
  readonly name: string | null;
  readonly path: string;
  readonly sizeBytes: number;
}

/** The files of one upload. */
export type SpooledFiles = Partial<Record<SoftwareFileField, SpooledFile>>;

/** Takes one file piece by piece. */
export interface SpoolWriter {
  /** @throws AppError PAYLOAD_TOO_LARGE for the byte above the file's limit, UNAVAILABLE when the disk is full. */
  write(bytes: Uint8Array): Promise<void>;
  finish(name: string | null): Promise<void>;
}

/** Where the files of one upload lie until they are checked and stored. */
export interface Spool {
  readonly files: SpooledFiles;
  /** @throws AppError BAD_USER_INPUT for a second file of the same field. */
  begin(field: SoftwareFileField): Promise<SpoolWriter>;
  /** Takes a whole stream; what is left of one that is refused is the caller's to discard. */
  receive(field: SoftwareFileField, name: string | null, content: Readable): Promise<void>;
}

/** Bytes; base64 with escapes comes in pieces of a few, of which each would cost a write. */
const WRITTEN_AT_ONCE = 65_536;

const spoolsOf = (dataDir: string) => join(dataDir, "uploads");

/** Runs `work` with a folder of its own for the files of one upload, which is gone afterwards whatever came of it. */
export async function withSpool<Result>(
  { config }: Pick<Context, "config">,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> {
  const folder = join(spoolsOf(config.dataDir), randomUUID());
  const handles = new Set<FileHandle>();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work(createSpool(folder, handles));
  } catch (error) {
    throw sayWhenDiskIsFull(error);
  } finally {
    for (const handle of handles) await handle.close().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

function createSpool(folder: string, handles: Set<FileHandle>): Spool {
  const begun = new Set<SoftwareFileField>();
  const files: SpooledFiles = {};
  const begin: Spool["begin"] = async (field) => {
    if (begun.has(field)) throw refuseFile(field, "Only one file can be uploaded here.");
    begun.add(field);
    const path = join(folder, field);
    const handle = await open(path, "wx", 0o600);
    handles.add(handle);
    let sizeBytes = 0;
    let waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    const flush = async () => {
      const bytes = Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
      await handle.writeFile(bytes);
    };
    return {
      async write(bytes) {
        sizeBytes += bytes.length;
        if (sizeBytes > softwareFiles[field].maxBytes) throw refuseLargeFile(field);
        waiting.push(bytes);
        waitingBytes += bytes.length;
        if (waitingBytes >= WRITTEN_AT_ONCE) await flush();
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

/** What graphql-upload keeps aside in the system's folder for temporary files while a request arrives. */
const requestSpool = /^capacitor-[\da-f]{32}\.tmp$/;

/** Removes what uploads left that were cut off by the end of their process before `before`; answers how many. */
export async function forgetStraySpools(dataDir: string, before: Date): Promise<number> {
  const namesIn = (folder: string) => readdir(folder).catch(() => [] as string[]);
  const strays = [
    ...(await namesIn(spoolsOf(dataDir))).map((name) => join(spoolsOf(dataDir), name)),
    ...(await namesIn(tmpdir())).filter((name) => requestSpool.test(name)).map((name) => join(tmpdir(), name)),
  ];
  let forgotten = 0;
  for (const path of strays) {
    const found = await stat(path).catch(() => null);
    if (!found || found.mtime >= before) continue;
    // One of another user's is not ours to remove.
    await rm(path, { recursive: true, force: true }).then(
      () => forgotten++,
      () => {},
    );
  }
  return forgotten;
}
