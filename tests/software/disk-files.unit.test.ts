import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import type { Files } from "#api/platform/files/files.ts";
import { storedKeys } from "#tests/factories/software.ts";

let root: string;
let files: Files;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "files-"));
  files = createDiskFiles(join(root, "inside"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const onDisk = () => readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const contentOf = async (key: string, range?: { start: number; end: number }) => {
  const stream = await files.open(key, range);
  return stream && (await buffer(stream)).toString();
};

test("what is put is measured, and read again whole and in parts", async () => {
  const content = Buffer.alloc(300_000, "0123456789");
  const chunks = Array.from({ length: 3 }, (_, index) => content.subarray(index * 100_000, (index + 1) * 100_000));
  expect(await files.put("a/b", Readable.from(chunks))).toEqual({
    sizeBytes: 300_000,
    sha256: createHash("sha256").update(content).digest("hex"),
  });
  expect(await contentOf("a/b")).toBe(content.toString());
  expect(await contentOf("a/b", { start: 10, end: 14 })).toBe("01234");
  expect(await files.stat("a/b")).toEqual({ sizeBytes: 300_000 });
  expect(await storedKeys(files, "a")).toEqual(["a/b"]);
});

test("another content replaces the first; deleting leaves nothing, and may be repeated", async () => {
  await files.put("a/b", Readable.from(["first"]));
  await files.put("a/b", Readable.from(["second"]));
  expect(await contentOf("a/b")).toBe("second");
  await files.delete("a/b");
  await files.delete("a/b");
  expect(await contentOf("a/b")).toBeNull();
  expect(await files.stat("a/b")).toBeNull();
  expect(onDisk()).toEqual([]);
});

test("content that breaks off is not stored, and what was there stays", async () => {
  await files.put("a/b", Readable.from(["whole"]));
  const broken = Readable.from(
    (async function* half() {
      yield "ha";
      throw new Error("the connection was lost");
    })(),
  );
  await expect(files.put("a/b", broken)).rejects.toThrow("the connection was lost");
  expect(await contentOf("a/b")).toBe("whole");
  expect(onDisk()).toHaveLength(1);
});

test("while it is written, a file can't be read", async () => {
  let goOn: () => void = () => {};
  const halted = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow = Readable.from(
    (async function* inTwo() {
      yield "ha";
      await halted;
      yield "lf";
    })(),
  );
  const putting = files.put("a/b", slow);
  expect(await files.stat("a/b")).toBeNull();
  expect(await contentOf("a/b")).toBeNull();
  goOn();
  await putting;
  expect(await contentOf("a/b")).toBe("half");
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
])("%j is no key and leads nowhere", async (key) => {
  await writeFile(join(root, "outside"), "secret");
  await expect(files.put(key, Readable.from(["x"]))).rejects.toThrow("not a key");
  await expect(files.open(key)).rejects.toThrow("not a key");
  await expect(files.stat(key)).rejects.toThrow("not a key");
  await expect(files.delete(key)).rejects.toThrow("not a key");
  expect(onDisk()).toHaveLength(1);
});

test("a folder is no file", async () => {
  await files.put("a/b/c", Readable.from(["x"]));
  expect(await files.stat("a/b")).toBeNull();
  expect(await files.stat("a/b/c/d")).toBeNull();
});
