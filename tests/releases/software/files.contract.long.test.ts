import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createMovableClock, DAY, MINUTE } from "#api/platform/clock.ts";
import { createBucketFiles } from "#api/platform/files/bucket-files.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import type { Files } from "#api/platform/files/files.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import { startTestBucket } from "#tests/support/bucket.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const root = createTemporaryFolder("files-");
writeFileSync(join(root, "outside"), "secret");
const inside = join(root, "inside");
const bucket = await startTestBucket();

interface Store {
  readonly files: Files;
  /** Lists all stored files, including incomplete ones. */
  readonly listStored: () => string[];
}

const stores: [string, Store][] = [
  [
    "a disk",
    {
      files: createDiskFiles(inside, createMovableClock()),
      listStored: () =>
        readdirSync(inside, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()) as never,
    },
  ],
  [
    "a bucket",
    { files: createBucketFiles(bucket.settings, pino({ level: "silent" })), listStored: () => bucket.onDisk() },
  ],
];

test("destroys the content's stream if the disk store can't create a folder", async () => {
  const content = Readable.from(["content"]);
  await expect(createDiskFiles(join(root, "outside"), createMovableClock()).put("folder/b", content)).rejects.toThrow();
  expect(content.destroyed).toBe(true);
});

test("stores a file on disk while the last other file of its folder is deleted", async () => {
  const files = createDiskFiles(join(root, "emptied"), createMovableClock());
  await files.put("reports/0", Readable.from(["content"]));
  for (let round = 0; round < 50; round++) {
    const putting = files.put(`reports/${round + 1}`, Readable.from(["content"]));
    await Promise.all([putting, files.delete(`reports/${round}`)]);
  }
  expect(await listStoredKeys(files, "reports")).toEqual(["reports/50"]);
});

test("dates files on disk by the database's time if the machine's clock is wrong", async () => {
  const machine = { wallMs: () => Date.now() - 900 * DAY, monotonicMs: () => performance.now() };
  const clock = createMovableClock(0, machine);
  clock.compare({ databaseMs: Date.now() - 30 * DAY, sentAtMs: performance.now() });
  const files = createDiskFiles(join(root, "dated"), clock);
  await files.put("software/b", Readable.from(["content"]));
  for await (const { writtenAt } of files.list("software"))
    expect(Math.abs(writtenAt.getTime() - (Date.now() - 30 * DAY))).toBeLessThan(MINUTE);
  expect(await listStoredKeys(files, "software")).toEqual(["software/b"]);
});

describe.each(stores)("storage on %s", (_name, { files, listStored }) => {
  const readContent = async (key: string, range?: { start: number; end: number }) => {
    const stream = await files.open(key, range);
    return stream && (await buffer(stream)).toString();
  };

  test("stores, measures and reads content in full and in parts", async () => {
    // Large enough for a multipart upload to the bucket.
    const content = Buffer.alloc(12_000_000, "0123456789");
    const chunks = Array.from({ length: 12 }, (_, index) => content.subarray(index * 1e6, (index + 1) * 1e6));
    const expected = { sizeBytes: 12_000_000, sha256: createHash("sha256").update(content).digest("hex") };
    expect(await files.put("whole/b", Readable.from(chunks))).toEqual(expected);
    expect((await buffer((await files.open("whole/b")) as Readable)).equals(content)).toBe(true);
    expect(await readContent("whole/b", { start: 10, end: 14 })).toBe("01234");
    expect(await files.stat("whole/b")).toEqual({ sizeBytes: 12_000_000 });
    expect(await listStoredKeys(files, "whole")).toEqual(["whole/b"]);
    await files.delete("whole/b");
  });

  test("stores an empty file", async () => {
    const { sizeBytes } = await files.put("empty/b", Readable.from([]));
    expect([sizeBytes, await readContent("empty/b"), await files.stat("empty/b")]).toEqual([0, "", { sizeBytes: 0 }]);
    await files.delete("empty/b");
  });

  test("replaces and deletes content, and ignores repeated deletion", async () => {
    await files.put("again/b", Readable.from(["first"]));
    await files.put("again/b", Readable.from(["second"]));
    expect(await readContent("again/b")).toBe("second");
    await files.delete("again/b");
    await files.delete("again/b");
    expect([await readContent("again/b"), await files.stat("again/b")]).toEqual([null, null]);
    expect(listStored()).toEqual([]);
  });

  test.each([2, 14_000_000])("keeps the previous content if writing new content fails after %i bytes", async (size) => {
    await files.put("broken/b", Readable.from(["whole"]));
    const before = listStored().length;
    const broken = Readable.from(
      (async function* half() {
        for (let sent = 0; sent < size; sent += 1e6) yield Buffer.alloc(Math.min(size, 1e6), "h");
        throw new Error("the connection was lost");
      })(),
    );
    await expect(files.put("broken/b", broken)).rejects.toThrow("the connection was lost");
    expect(await readContent("broken/b")).toBe("whole");
    expect(listStored()).toHaveLength(before);
    await files.delete("broken/b");
  });

  test("rejects content that failed before it was read", async () => {
    const failed = new Readable({ read: () => {} });
    failed.destroy(new Error("no such file"));
    await expect(files.put("failed/b", failed)).rejects.toThrow("no such file");
    const unread = Readable.from(["x"]);
    await expect(files.put("No key", unread)).rejects.toThrow("invalid key");
    expect(unread.destroyed).toBe(true);
    expect(listStored()).toEqual([]);
  });

  test("hides a file while it is being written", async () => {
    let resume: () => void = () => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const slow = Readable.from(
      (async function* inTwo() {
        yield "ha";
        await paused;
        yield "lf";
      })(),
    );
    const putting = files.put("slow/b", slow);
    expect([await files.stat("slow/b"), await readContent("slow/b")]).toEqual([null, null]);
    resume();
    await putting;
    expect(await readContent("slow/b")).toBe("half");
    await files.delete("slow/b");
  });

  test("closes the content when the reader stops", async () => {
    await files.put("left/b", Readable.from([Buffer.alloc(3_000_000)]));
    const stream = (await files.open("left/b")) as Readable;
    for await (const _ of stream) break;
    expect(stream.destroyed).toBe(true);
    expect(await readContent("left/b", { start: 1, end: 2 })).toHaveLength(2);
    await files.delete("left/b");
  });

  test("lists all files below a prefix and no others", async () => {
    const began = performance.timeOrigin + performance.now();
    for (const key of ["list/a/1", "list/a/2", "list/b", "lists/c"]) await files.put(key, Readable.from(["x"]));
    expect((await listStoredKeys(files, "list")).toSorted()).toEqual(["list/a/1", "list/a/2", "list/b"]);
    expect(await listStoredKeys(files, "none")).toEqual([]);
    for await (const { writtenAt } of files.list("list"))
      expect(Math.abs(writtenAt.getTime() - began)).toBeLessThan(60_000);
    for (const key of ["list/a/1", "list/a/2", "list/b", "lists/c"]) await files.delete(key);
  });

  test("does not treat a folder as a file", async () => {
    await files.put("folder/b/c", Readable.from(["x"]));
    expect([await files.stat("folder/b"), await files.stat("folder/b/c/d")]).toEqual([null, null]);
    await files.delete("folder/b/c");
  });

  test.each([
    "",
    "/etc/passwd",
    "../outside",
    "a/../../outside",
    "a//b",
    ".hidden",
    "a/.hidden",
    "a\\b",
    "a/b\0",
    "A/b",
    "a/b/",
  ])("rejects the key %j", async (key) => {
    await expect(files.put(key, Readable.from(["x"]))).rejects.toThrow("invalid key");
    await expect(files.open(key)).rejects.toThrow("invalid key");
    await expect(files.stat(key)).rejects.toThrow("invalid key");
    await expect(files.delete(key)).rejects.toThrow("invalid key");
    expect(listStored()).toEqual([]);
  });
});
