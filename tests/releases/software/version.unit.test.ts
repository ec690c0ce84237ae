import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProgramVersion } from "#api/releases/software/upload/program-version.ts";
import { compareVersions, parseVersion, formatVersion } from "#api/releases/software/version.ts";
import { createBareProgram, createFakeProgram, createProgram } from "#tests/factories/click-once.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

test.each([
  ["7.2.0", [7, 2, 0, 0]],
  ["7", [7, 0, 0, 0]],
  ["7.2", [7, 2, 0, 0]],
  ["7.2.0.65535", [7, 2, 0, 65_535]],
  ["007.02", [7, 2, 0, 0]],
  [" 7.2.0 ", [7, 2, 0, 0]],
  ["7.2.0-beta.1", [7, 2, 0, 0]],
  ["7.2.0+build.99999999", [7, 2, 0, 0]],
  ["7.2.0rc1", [7, 2, 0, 0]],
  ["7.2.", [7, 2, 0, 0]],
  ...["", " ", "beta", "v7.2", ".7", "-7.2", "٧.٢", "\u00007.2"].map((text) => [text, null] as const),
  ...["7.2.0.1.5", "7.2.0.65536", "99999999999999999999"].map((text) => [text, null] as const),
] as const)("reads the leading numbers of %j", (text, parts) => {
  expect(parseVersion(text)).toEqual(parts);
});

test.each([
  ["7.2", "7.2.0.0", 0],
  ["7.10", "7.9", 1],
  ["7.2.0", "7.2.0.1", -1],
  ["10", "9.9.9.9", 1],
  ["7.2.0-beta.1", "7.2.0", 0],
])("compares %s with %s", (one, other, sign) => {
  expect(Math.sign(compareVersions(parseVersion(one) as number[], parseVersion(other) as number[]))).toBe(sign);
});

test("reads back every formatted version", () => {
  const part = fc.integer({ min: 0, max: 65_535 });
  fc.assert(
    fc.property(fc.tuple(part, part, part, part), (parts) => {
      expect(parseVersion(formatVersion(parts))).toEqual(parts);
    }),
  );
});

const folder = createTemporaryFolder("program-");
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
