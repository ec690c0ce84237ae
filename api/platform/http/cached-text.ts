import type { FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/**
 * Compressors by encoding. Each text is compressed only once, but the highest levels would delay its first reader by about
 * 0.2 s.
 */
const encoders = {
  br: (text: Buffer) =>
    promisify(brotliCompress)(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
  gzip: (text: Buffer) => promisify(gzip)(text, { level: 9 }),
};

type Encoding = keyof typeof encoders;

/** Returns a function that compresses a text when an encoding is first requested. */
export function createCompressor(text: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const compressed: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return (encoding) => {
    const result = (compressed[encoding] ??= encoders[encoding](text));
    result.catch(() => delete compressed[encoding]);
    return result;
  };
}

/** Sends a cached text as the response to a request. */
type SendText = (request: FastifyRequest, reply: FastifyReply, type: string) => Promise<FastifyReply>;

/**
 * Creates a function that sends a text that doesn't change while the process runs. The text is built and compressed when
 * first requested. Each encoding has a strong ETag for revalidation with `If-None-Match`. Routes that use it must turn off
 * the app's compression.
 */
export function createCachedText(build: () => string): SendText {
  let built: { text: Buffer; hash: string; compress: ReturnType<typeof createCompressor> } | null = null;
  return async (request, reply, type) => {
    if (!built) {
      const text = Buffer.from(build());
      const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22);
      built = { text, hash, compress: createCompressor(text) };
    }
    const encoding = chooseEncoding(request);
    const etag = `"${built.hash}${encoding ? `-${encoding}` : ""}"`;
    void reply.headers({ "cache-control": "no-cache", etag, vary: "accept, accept-encoding" });
    if (matchesEtag(request, etag)) return reply.code(304).send();
    void reply.type(type);
    if (!encoding) return reply.send(built.text);
    return reply.header("content-encoding", encoding).send(await built.compress(encoding));
  };
}

/** Returns whether `If-None-Match` matches an ETag (RFC 9110 §13.1.2, weak comparison). */
export function matchesEtag({ headers }: Pick<FastifyRequest, "headers">, etag: string): boolean {
  const tags = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag.replace(/^W\//, "")) || tags.includes("*");
}

/** Returns the best encoding that a client accepts; undefined if it accepts neither. */
export function chooseEncoding({ headers }: Pick<FastifyRequest, "headers">): Encoding | undefined {
  const accepted = String(headers["accept-encoding"])
    .split(",")
    .map((part) => part.toLowerCase().replaceAll(" ", ""))
    .filter((part) => !/;q=0(?:\.0{0,3})?$/.test(part))
    .map((part) => part.split(";", 1)[0]);
  return (["br", "gzip"] as const).find((one) => accepted.includes(one));
}
