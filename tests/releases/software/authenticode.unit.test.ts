import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findSignatureProblem } from "#api/releases/software/describe-build.ts";
import { readInstallerSignature } from "#api/releases/software/upload/authenticode.ts";
import { createBareProgram } from "#tests/factories/click-once.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

// Signed with osslsigncode by a certificate of an example authority. Both are in the file.
const signed = readFileSync(join(import.meta.dirname, "signed-setup.exe"));
const authority = "9bcedf1676158474cf581f4bd2e39e3be3c4db1d6f9b276dfa34cf45b093e0d5";
const folder = createTemporaryFolder("portal-signed-");

let count = 0;
function read(content: Buffer) {
  const path = join(folder, `${++count}.exe`);
  writeFileSync(path, content);
  return readInstallerSignature(path);
}

// Positions in the optional header of the fixture, a 64-bit program.
const headerAt = signed.readUInt32LE(60);
const entryAt = headerAt + 24 + 112 + 4 * 8;
const signatureAt = signed.readUInt32LE(entryAt);
const sectionsAt = headerAt + 24 + signed.readUInt16LE(headerAt + 20);

function change(edit: (copy: Buffer) => void, base: Buffer = signed): Buffer {
  const copy = Buffer.from(base);
  edit(copy);
  return copy;
}

const set16 = (value: number, at: number) => change((copy) => copy.writeUInt16LE(value, at));
const set32 = (value: number, at: number) => change((copy) => copy.writeUInt32LE(value, at));
const flip = (at: number, mask: number) => change((copy) => copy.writeUInt8((copy[at] ?? 0) ^ mask, at));

test("a signed installer names its signer and the certificates above it", async () => {
  expect(await read(signed)).toEqual({
    state: "signed",
    signer: "Planvarro Sample Pty Ltd",
    certificates: [expect.stringMatching(/^[0-9a-f]{64}$/), authority],
    validUntil: expect.stringMatching(/^2051-/),
  });
});

test("a signed installer may have another checksum, which the signature doesn't cover", async () => {
  expect(await read(set32(7, headerAt + 24 + 64))).toMatchObject({ state: "signed" });
});

test.each<[string, Buffer, RegExp]>([
  ["a changed byte", change((copy) => copy.writeUInt8(1, signatureAt - 1)), /was changed after/],
  ["bytes after the signature", Buffer.concat([signed, Buffer.alloc(8)]), /isn't at the end/],
  ["a truncated signature", signed.subarray(0, -100), /isn't at the end/],
  ["a signature inside the headers", set32(8, entryAt), /isn't at the end/],
  ["an offset beyond the file", set32(0xffff_fff8, entryAt), /isn't at the end/],
  ["a huge length", set32(0xffff_ffff, entryAt + 4), /isn't at the end/],
  ["a huge length in its own header", set32(0xffff_ffff, signatureAt), /length is wrong/],
  ["an empty entry", set32(0, signatureAt), /length is wrong/],
  ["an unknown type", set16(1, signatureAt + 6), /type is unknown/],
  ["a huge length in ASN.1", change((copy) => copy.writeUInt16BE(0x84ff, signatureAt + 9)), /malformed/],
  ["a section that overlaps the signature", set32(signatureAt, sectionsAt + 20), /section of the program overlaps/],
  ["more sections than Windows loads", set16(0xffff, headerAt + 6), /isn't at the end/],
  ["nothing but zeros", change((copy) => copy.fill(0, signatureAt + 8)), /malformed|length is wrong/],
  [
    "deeply nested ASN.1",
    change((copy) => {
      for (let at = signatureAt + 12; at + 4 <= copy.length; at += 4) copy.writeUInt32BE(0x3082_ffff, at);
    }),
    /malformed|isn't a PKCS|length is wrong/,
  ],
])("a signed installer is broken with %s", async (_name, content, problem) => {
  expect(await read(content)).toEqual({ state: "broken", problem: expect.stringMatching(problem) });
});

test("a signed installer is never valid if a byte that it covers changes", async () => {
  const covered = fc
    .integer({ min: 0, max: signatureAt - 1 })
    .filter((at) => at < headerAt + 24 + 64 || at >= headerAt + 24 + 68);
  await fc.assert(
    fc.asyncProperty(covered, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      expect((await read(flip(at, mask))).state).not.toBe("signed");
    }),
    { numRuns: 100 },
  );
});

test("a signed installer never gets another signer under the same authority if a byte of the signature changes", async () => {
  const expected = await read(signed);
  const positions = fc.integer({ min: signatureAt, max: signed.length - 1 });
  await fc.assert(
    fc.asyncProperty(positions, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      const result = await read(flip(at, mask));
      if (result.state === "signed" && result.certificates.includes(authority)) expect(result).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test.each<[string, Buffer]>([
  ["a program without a signature", createBareProgram()],
  ["an empty file", Buffer.alloc(0)],
  ["two letters", Buffer.from("MZ")],
  ["a header beyond the file", set32(0xffff_ffff, 60)],
  ["an unknown optional header", set16(0x107, headerAt + 24)],
])("reads %s as unsigned", async (_name, content) => {
  expect(await read(content)).toEqual({ state: "unsigned" });
});

const publisher = { name: "Planvarro Sample Pty Ltd", certificates: [authority] };
const createdAt = new Date("2026-03-01");
const find = (
  signature: Parameters<typeof findSignatureProblem>[1]["signature"],
  pin: typeof publisher | null = publisher,
) => findSignatureProblem(pin, { signature, createdAt });

test("a pinned publisher accepts only installers with its name and one of its certificates", async () => {
  const signature = await read(signed);
  expect(find(signature)).toBeNull();
  expect(find(signature, { ...publisher, name: "Someone Else" })).toMatch(
    /^The installer is signed by Planvarro Sample Pty Ltd\./,
  );
  expect(find(signature, { ...publisher, certificates: ["0".repeat(64)] })).toMatch(
    /isn't listed in PUBLISHER_CERTIFICATES/,
  );
  expect(find({ state: "unsigned" })).toBe(
    "The installer isn't signed. Every build must be signed by Planvarro Sample Pty Ltd.",
  );
  expect(find(null)).toMatch(/was never checked/);
  const late = new Date("2060-01-01");
  expect(findSignatureProblem(publisher, { signature, createdAt: late })).toMatch(/had expired/);
  // A copy for another stage has the installer of its first upload.
  const copied = { ...signature, uploadedAt: createdAt.toISOString() };
  expect(findSignatureProblem(publisher, { signature: copied, createdAt: late })).toBeNull();
});

test("a pinned publisher isn't needed for unsigned installers, but a broken signature is always refused", () => {
  expect([find({ state: "unsigned" }, null), find(null, null)]).toEqual([null, null]);
  expect(find({ state: "broken", problem: "It is malformed." }, null)).toMatch(
    /^The signature of the installer is invalid: It is/,
  );
});
