import type { FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const encoders = {
  br: promisify((text: Buffer, done: (error: Error | null, small: Buffer) => void) =>
    brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, done),
  ),
  gzip: promisify(gzip),
};

/** Sends a cached text as the response to a request. */
type SendText = (request: FastifyRequest, reply: FastifyReply, type: string) => Promise<FastifyReply>;

/**
 * Creates a function that sends a text that doesn't change while the process runs. The text is built and compressed when
 * first requested. Each encoding has a strong ETag for revalidation with `If-None-Match`. Routes that use it must turn off
 * the app's compression.
 */
export function createCachedText(build: () => string): SendText {
  let built: { text: Buffer; hash: string } | null = null;
  const compressed = new Map<string, Promise<Buffer>>();
  return async (request, reply, type) => {
    if (!built) {
      const text = Buffer.from(build());
      built = { text, hash: createHash("sha256").update(text).digest("base64url").slice(0, 22) };
    }
    const encoding = chooseEncoding(request);
    const etag = `"${built.hash}${encoding ? `-${encoding}` : ""}"`;
    void reply.headers({ "cache-control": "no-cache", etag, vary: "accept, accept-encoding" });
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    void reply.type(type);
    if (!encoding) return reply.send(built.text);
    const body = compressed.get(encoding) ?? encoders[encoding](built.text);
    compressed.set(encoding, body);
    return reply.header("content-encoding", encoding).send(await body);
  };
}

/** Returns the best encoding that a client accepts; undefined if it accepts neither. */
export function chooseEncoding({ headers }: Pick<FastifyRequest, "headers">): "br" | "gzip" | undefined {
  const accepted = String(headers["accept-encoding"])
    .split(",")
    .map((part) => part.toLowerCase().replaceAll(" ", ""))
    .filter((part) => !/;q=0(?:\.0{0,3})?$/.test(part))
    .map((part) => part.split(";", 1)[0]);
  return (["br", "gzip"] as const).find((one) => accepted.includes(one));
}
