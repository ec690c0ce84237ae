import type { FastifyReply, FastifyRequest } from "fastify";
import type { Readable } from "node:stream";
import { matchesEtag } from "#api/platform/http/cached-text.ts";
import type { ByteRange } from "./files.ts";

/** A stored file and its response headers. */
export interface SentFile {
  readonly sizeBytes: number;
  /** Hex. Used as the ETag. */
  readonly sha256: string;
  readonly type: string;
  /** File name for the download; null to display the file in the browser. */
  readonly saveAs: string | null;
  readonly since: Date;
  readonly cacheControl: string;
}

/**
 * Streams a file or the requested range (RFC 9110: ETag, If-None-Match, If-Range, one range). Calls `open` only if content
 * is sent. Calls `onSent` once for each complete download, when the last byte of the file has been sent, including resumed
 * downloads. It isn't called for HEAD, 304, interrupted downloads or earlier ranges.
 */
export async function sendFile(
  file: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
  { open, onSent }: { open: (range?: ByteRange) => Promise<Readable>; onSent: () => void },
): Promise<FastifyReply> {
  const { sizeBytes } = file;
  const etag = `"${file.sha256}"`;
  if (matchesEtag(request, etag)) return setHeaders(file, reply).code(304).send();

  const range = isRangeAllowed(request, etag) ? parseByteRange(request.headers.range, sizeBytes) : null;
  if (range === "unsatisfiable") return reply.code(416).header("content-range", `bytes */${sizeBytes}`).send();
  // Opened before the headers are set, so that an error response isn't cached with the headers of the file.
  const content = request.method === "GET" ? await open(range ?? undefined) : undefined;
  setHeaders(file, reply)
    .type(file.type)
    .header("content-length", String(range ? range.end - range.start + 1 : sizeBytes));
  if (file.saveAs !== null) reply.header("content-disposition", `attachment; filename="${file.saveAs}"`);
  if (range) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${sizeBytes}`);
  if (content && (!range || range.end === sizeBytes - 1)) reply.raw.once("finish", onSent);
  return reply.send(content);
}

function setHeaders({ sha256, since, cacheControl }: SentFile, reply: FastifyReply): FastifyReply {
  return reply.headers({
    etag: `"${sha256}"`,
    "accept-ranges": "bytes",
    "last-modified": since.toUTCString(),
    "cache-control": cacheControl,
  });
}

/** Returns whether a range may be sent: only for GET, and only if `If-Range` is missing or matches the file. */
function isRangeAllowed({ method, headers }: FastifyRequest, etag: string): boolean {
  const ifRange = headers["if-range"];
  return method === "GET" && (ifRange === undefined || ifRange === etag);
}

/**
 * Parses a `Range` header for a file of `sizeBytes` bytes (RFC 9110 §14.2). Returns null for the whole file if the header is
 * missing, malformed or has several ranges, which a server may ignore.
 */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | null {
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
