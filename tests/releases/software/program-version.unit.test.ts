import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { readProgramVersion } from "#api/releases/software/upload/program-version.ts";
import { createBareProgram, createFakeProgram, createProgram } from "#tests/factories/click-once.ts";

const folder = mkdtempSync(join(tmpdir(), "program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const readVersionFrom = (content: Uint8Array): Promise<number[] | null> => {
  const path = join(folder, "setup.exe");
  writeFileSync(path, content);
  return readProgramVersion(path);
};

test("reads the version of a program built with other tools", async () => {
  expect(await readVersionFrom(createProgram("7.2.0.65535"))).toEqual([7, 2, 0, 65_535]);
  expect(await readVersionFrom(createProgram("0.0.0.1"))).toEqual([0, 0, 0, 1]);
});

test("returns null for a program without a version", async () => {
  expect(await readVersionFrom(createProgram("0.0.0.0"))).toBeNull();
  expect(await readVersionFrom(createBareProgram())).toBeNull();
  for (const bytes of [2, 63, 64, 300]) expect(await readVersionFrom(createFakeProgram(bytes))).toBeNull();
});

test("reads corrupt or truncated programs without an error", async () => {
  const program = createProgram("7.2.0");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(program.length - 1), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)), { maxLength: 8 }),
      fc.nat(program.length),
      async (changes, length) => {
        const changed = Buffer.from(program);
        for (const [at, byte] of changes) changed[at] = byte;
        const version = await readVersionFrom(changed.subarray(0, length));
        expect(version === null || version.length === 4).toBe(true);
      },
    ),
  );
});
