import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as resedit from "resedit";
import { afterAll, describe, expect, test } from "vitest";
import { isWindowsProgram, programVersionOf } from "#api/features/software/upload/program-version.ts";
import { bareProgram, fakeProgram, programWithVersion } from "#tests/factories/click-once.ts";

const folder = mkdtempSync(join(tmpdir(), "program-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const versionOf = (content: Uint8Array): Promise<number[] | null> => {
  const path = join(folder, "setup.exe");
  writeFileSync(path, content);
  return programVersionOf(path);
};

test("reads the version that another maker of programs wrote", async () => {
  expect(await versionOf(programWithVersion("7.2.0.65535"))).toEqual([7, 2, 0, 65_535]);
  expect(await versionOf(programWithVersion("0.0.0.1"))).toEqual([0, 0, 0, 1]);
});

test("a program that states none has none", async () => {
  expect(await versionOf(programWithVersion("0.0.0.0"))).toBeNull();
  expect(await versionOf(bareProgram())).toBeNull();
  for (const bytes of [2, 63, 64, 300]) expect(await versionOf(fakeProgram(bytes))).toBeNull();
});

describe("a Windows program", () => {
  const isProgram = (content: Uint8Array): Promise<boolean> => {
    const path = join(folder, "program.exe");
    writeFileSync(path, content);
    return isWindowsProgram(path);
  };

  test("is recognised with a version and without one, of 32 and of 64 bits", async () => {
    expect(await isProgram(programWithVersion("7.2.0"))).toBe(true);
    expect(await isProgram(bareProgram())).toBe(true);
    const wide = resedit.NtExecutable.createEmpty(false, false);
    resedit.NtExecutableResource.from(wide).outputResource(wide);
    expect(await isProgram(Buffer.from(wide.generate()))).toBe(true);
  });

  test("is more than the letters MZ, whatever follows them", async () => {
    for (const bytes of [2, 63, 64, 4_096]) expect(await isProgram(fakeProgram(bytes))).toBe(false);
  });

  test.each<[string, (program: Buffer, headerAt: number) => Buffer | void]>([
    ["no PE signature", (program, at) => void program.write("NE\0\0", at, "latin1")],
    ["a PE header behind its end", (program) => void program.writeUInt32LE(0x7fff_ffff, 60)],
    ["no sections", (program, at) => void program.writeUInt16LE(0, at + 6)],
    ["more sections than Windows loads", (program, at) => void program.writeUInt16LE(97, at + 6)],
    ["no optional header", (program, at) => void program.writeUInt16LE(0, at + 20)],
    ["an optional header of another kind", (program, at) => void program.writeUInt16LE(0x107, at + 24)],
    ["its sections cut off", (program, at) => program.subarray(0, at + 300)],
  ])("is not one with %s", async (_what, change) => {
    const program = bareProgram();
    expect(await isProgram(change(program, program.readUInt32LE(60)) ?? program)).toBe(false);
  });
});

test("a program with any bytes changed, or cut anywhere, is read without a fault", async () => {
  const program = programWithVersion("7.2.0");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(program.length - 1), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)), { maxLength: 8 }),
      fc.nat(program.length),
      async (changes, length) => {
        const changed = Buffer.from(program);
        for (const [at, byte] of changes) changed[at] = byte;
        const version = await versionOf(changed.subarray(0, length));
        expect(version === null || version.length === 4).toBe(true);
        // Neither does it throw on what is no program any more.
        await isWindowsProgram(join(folder, "setup.exe"));
      },
    ),
  );
});
