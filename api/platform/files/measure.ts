import { createHash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import type { StoredContent } from "./files.ts";

/** Passes a content on and takes its size and checksum meanwhile. */
export function createMeasure(): { readonly stream: Transform; readonly result: () => StoredContent } {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ sizeBytes, sha256: hash.digest("hex") }) };
}

/**
 * Keeps a content that fails before anybody reads it from ending the process, which an error without a listener does;
 * whoever reads it later still meets the error.
 */
export function hearErrors(content: Readable): void {
  content.on("error", () => {});
}
