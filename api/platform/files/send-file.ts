import type { FastifyReply, FastifyRequest } from "fastify";
import type { Readable } from "node:stream";
import type { ByteRange } from "./files.ts";

/** A stored file and what is told of it. */
export interface SentFile {
  readonly sizeBytes: number;
  /** In hex; its ETag. */
  readonly sha256: string;
  readonly type: string;
  /** Under which name browsers keep it. */
  readonly saveAs: string | null;
  readonly since: Date;
  readonly cacheControl: string;
}

/**
 * Answers with a file or the part that was asked for (RFC 9110: ETag, If-None-Match, If-Range, one range), as it is read;
 * `open` is called for nothing but that. `onSent` is called when the last byte of the file has been handed over: once
 * for a download, also for one that was resumed, and never for HEAD, 304, what was broken off or an earlier part.
 */
export async function sendFile(
  file: SentFile,
  request: FastifyRequest,
  reply: FastifyReply,
  { open, onSent }: { open: (range?: ByteRange) => Promise<Readable>; onSent: () => void },
): Promise<FastifyReply> {
  const { sizeBytes } = file;
  const etag = `"${file.sha256}"`;
  if (matches(request.headers["if-none-match"], etag)) return tell(file, reply).code(304).send();

  const part = isResumable(request, etag) ? readByteRange(request.headers.range, sizeBytes) : null;
  if (part === "unsatisfiable") return reply.code(416).header("content-range", `bytes */${sizeBytes}`).send();
  // Before anything is told of the file, so that no cache keeps what is told of it with an error.
  const content = request.method === "GET" ? await open(part ?? undefined) : undefined;
  tell(file, reply)
    .type(file.type)
    .header("content-length", String(part ? part.end - part.start + 1 : sizeBytes));
  if (file.saveAs !== null) reply.header("content-disposition", `attachment; filename="${file.saveAs}"`);
  if (part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${sizeBytes}`);
  if (content && (!part || part.end === sizeBytes - 1)) reply.raw.once("finish", onSent);
  return reply.send(content);
}

function tell({ sha256, since, cacheControl }: SentFile, reply: FastifyReply): FastifyReply {
  return reply.headers({
    etag: `"${sha256}"`,
    "accept-ranges": "bytes",
    "last-modified": since.toUTCString(),
    "cache-control": cacheControl,
  });
}

/** Whether a part may be sent: of a GET whose `If-Range`, where it has one, names the file as it is. */
function isResumable({ method, headers }: FastifyRequest, etag: string): boolean {
  const ifRange = headers["if-range"];
  return method === "GET" && (ifRange === undefined || ifRange === etag);
}

/** Whether `If-None-Match` names the file as it is (RFC 9110 §13.1.2, weak comparison). */
function matches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

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
