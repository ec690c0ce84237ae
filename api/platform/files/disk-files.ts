import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat, utimes } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Clock, getRealNow } from "#api/platform/clock.ts";
import { type ByteRange, checkFileKey, type Files, createMeasure, ignoreStreamErrors } from "./files.ts";

/**
 * Creates storage in a folder, which is created with the first file. Files are dated by `clock`, because orphaned files are
 * removed by age and the clock of a machine may be wrong.
 */
export function createDiskFiles(root: string, clock: Clock): Files {
  const toPath = (key: string): string => join(root, ...checkFileKey(key).split("/"));
  return {
    async put(key, content) {
      ignoreStreamErrors(content);
      const measure = createMeasure();
      let aside: string | undefined;
      try {
        const path = toPath(key);
        aside = `${path}.${randomUUID()}.part`;
        const handle = await createFile(aside);
        await pipeline(content, measure.stream, handle.createWriteStream({ flush: true }));
        const now = getRealNow(clock);
        await utimes(aside, now, now);
        await rename(aside, path);
        await flushFolder(dirname(path));
      } catch (error) {
        content.destroy();
        if (aside) await rm(aside, { force: true }).catch(() => {});
        throw error;
      }
      return measure.result();
    },
    async open(key, range?: ByteRange) {
      const handle = await orNull(open(toPath(key)));
      return handle?.createReadStream({ ...range }) ?? null;
    },
    async stat(key) {
      const found = await orNull(stat(toPath(key)));
      return found?.isFile() ? { sizeBytes: found.size } : null;
    },
    async *list(under) {
      const entries = (await orNull(readdir(toPath(under), { recursive: true, withFileTypes: true }))) ?? [];
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await orNull(stat(path));
        if (found) yield { key: relative(root, path).split(sep).join("/"), writtenAt: found.mtime };
      }
    },
    async delete(key) {
      const path = toPath(key);
      await rm(path, { force: true });
      // Fails if the folder still contains files.
      await rmdir(dirname(path)).catch(() => {});
    },
  };
}

/** Creates a file and its folder, again if a `delete` of the folder's last file removes the folder in between. */
async function createFile(path: string): Promise<FileHandle> {
  for (;;) {
    await mkdir(dirname(path), { recursive: true });
    const handle = await orNull(open(path, "wx"));
    if (handle) return handle;
  }
}

/** Flushes a folder to disk, so that a new file name survives a power cut. */
async function flushFolder(folder: string): Promise<void> {
  // Windows can't flush folders.
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function orNull<Found>(operation: Promise<Found>): Promise<Found | null> {
  try {
    return await operation;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return null;
    throw error;
  }
}
