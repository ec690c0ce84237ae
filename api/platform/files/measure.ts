import { createHash } from "node:crypto";
import { type Readable, Transform } from "node:stream";
import type { StoredContent } from "./files.ts";

/** Creates a stream that passes content on and measures its size and checksum. */
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
 * Adds an empty error listener to a stream. Without one, an error before the stream is read would end the process. A later
 * reader still gets the error.
 */
export function ignoreStreamErrors(content: Readable): void {
  content.on("error", () => {});
}
