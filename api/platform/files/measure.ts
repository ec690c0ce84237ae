import { createHash } from "node:crypto";
import { Transform } from "node:stream";
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
