import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { DOS_HEADER_BYTES, MAX_SECTIONS, type Program, SECTION_BYTES, withProgram } from "./program-headers.ts";

// Offsets and sizes are from Microsoft's "PE Format" and "Windows Authenticode Portable Executable Signature Format".
const CHECKSUM_AT = 64;
const SECURITY_DIRECTORY = 4;
const CERTIFICATE_HEADER_BYTES = 8;
const PKCS_SIGNED_DATA = 2;
/** Largest accepted signature. Two signatures with their certificates and time stamps take about 30 kB. */
const MAX_SIGNATURE_BYTES = 256_000;
const READ_BYTES = 1_048_576;

/** The signature in a Windows program, and a function that hashes everything it covers. */
export interface EmbeddedSignature {
  /** The signature as PKCS #7, possibly followed by up to 7 bytes of padding. */
  readonly pkcs7: Buffer;
  readonly hash: (algorithm: string) => Promise<Buffer>;
}

/** Thrown if a program has a signature that can't be read. The message is a sentence for admins. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
}

/**
 * Reads the signature of a Windows program and passes it to `work` while the file is open. Reads only the headers and the
 * signature, in bounded parts. The signature must be the last thing in the file, and no section may overlap it, so that
 * every other byte is covered by its hash.
 * @param work is called with null if the program has no signature, or the file isn't a Windows program
 * @throws SignatureError if the program has a signature that isn't where it has to be
 */
export function withSignature<Result>(
  path: string,
  work: (signature: EmbeddedSignature | null) => Promise<Result>,
): Promise<Result> {
  return withProgram(path, async (program) => work(program && (await findSignature(program))));
}

async function findSignature(program: Program): Promise<EmbeddedSignature | null> {
  const { handle, fileBytes, read, headerAt, optionalAt, optional, directoriesAt, sectionCount: count } = program;
  const entryAt = directoriesAt + SECURITY_DIRECTORY * 8;
  // Without this entry, the header has no room for a signature.
  if (optional.length < entryAt + 8 || optional.readUInt32LE(directoriesAt - 4) <= SECURITY_DIRECTORY) return null;
  const [at, bytes] = [optional.readUInt32LE(entryAt), optional.readUInt32LE(entryAt + 4)];
  if (bytes === 0) return null;

  // The hash leaves out two fields of the optional header, which must not be part of the headers that point to it.
  if (headerAt < DOS_HEADER_BYTES) throw new SignatureError("The headers of the program overlap.");
  const sectionsAt = optionalAt + optional.length;
  const table = count === 0 ? Buffer.alloc(0) : await read(sectionsAt, count * SECTION_BYTES);
  if (count > MAX_SECTIONS || !table || at < sectionsAt + table.length || at + bytes !== fileBytes)
    throw new SignatureError("It isn't at the end of the file.");
  for (let index = 0; index < count; index++) {
    const size = table.readUInt32LE(index * SECTION_BYTES + 16);
    if (size > 0 && table.readUInt32LE(index * SECTION_BYTES + 20) + size > at)
      throw new SignatureError("A section of the program overlaps it.");
  }
  if (bytes > MAX_SIGNATURE_BYTES) throw new SignatureError("It is too large.");
  const certificate = await read(at, bytes);
  const length = certificate && bytes > CERTIFICATE_HEADER_BYTES ? certificate.readUInt32LE(0) : 0;
  if (!certificate || length <= CERTIFICATE_HEADER_BYTES || length > bytes || bytes - length >= 8)
    throw new SignatureError("Its length is wrong.");
  if (certificate.readUInt16LE(6) !== PKCS_SIGNED_DATA) throw new SignatureError("Its type is unknown.");
  const covered: [from: number, to: number][] = [
    [0, optionalAt + CHECKSUM_AT],
    [optionalAt + CHECKSUM_AT + 4, optionalAt + entryAt],
    [optionalAt + entryAt + 8, at],
  ];
  return {
    pkcs7: certificate.subarray(CERTIFICATE_HEADER_BYTES, length),
    hash: (algorithm) => hashRanges(handle, covered, algorithm),
  };
}

async function hashRanges(
  handle: FileHandle,
  ranges: readonly (readonly [from: number, to: number])[],
  algorithm: string,
): Promise<Buffer> {
  const hash = createHash(algorithm);
  const buffer = Buffer.alloc(READ_BYTES);
  for (const [from, to] of ranges)
    for (let at = from; at < to; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(READ_BYTES, to - at), at);
      if (bytesRead === 0) throw new SignatureError("The file ends too early.");
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  return hash.digest();
}
