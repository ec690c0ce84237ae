import type { ByteRange } from "./files.ts";

/**
 * The part of a file of `sizeBytes` bytes that a `Range` header asks for (RFC 9110, §14.2). Null means the whole
 * file: no header, one that is malformed, or one that asks for several parts, which a server may ignore.
 */
export function readByteRange(header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const [, first, last] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}
