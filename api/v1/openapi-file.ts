import type { FastifyInstance, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { openApiDocument } from "./openapi.ts";
import { routes } from "./routes.ts";

/** The type that OpenAPI documents have a name for; given to who asks for it. */
const OPENAPI_TYPE = "application/vnd.oai.openapi+json";

const encoders = {
  br: promisify((text: Buffer, done: (error: Error | null, small: Buffer) => void) =>
    brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, done),
  ),
  gzip: promisify(gzip),
};

/**
 * Serves the document of `/v1` at `/v1/openapi.json`, the same bytes as `schema/openapi.json`. Its ETag is a strong one:
 * a program that keeps it asks with `If-None-Match` and reads nothing twice.
 */
export function serveOpenApi(app: FastifyInstance): void {
  let made: { text: Buffer; hash: string } | null = null;
  const small = new Map<string, Promise<Buffer>>();

  // Made small here, since each encoding has an ETag of its own.
  app.get("/v1/openapi.json", { compress: false, exposeHeadRoute: true }, async (request, reply) => {
    if (!made) {
      const text = Buffer.from(`${JSON.stringify(openApiDocument(routes), null, 2)}\n`);
      made = { text, hash: createHash("sha256").update(text).digest("base64url").slice(0, 22) };
    }
    const encoding = encodingFor(request);
    const etag = `"${made.hash}${encoding ? `-${encoding}` : ""}"`;
    void reply.headers({ "cache-control": "no-cache", etag, vary: "accept, accept-encoding" });
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    const isAskedByName = request.headers.accept?.includes(OPENAPI_TYPE);
    void reply.type(isAskedByName ? `${OPENAPI_TYPE};version=3.1` : "application/json; charset=utf-8");
    if (!encoding) return reply.send(made.text);
    const body = small.get(encoding) ?? encoders[encoding](made.text);
    small.set(encoding, body);
    return reply.header("content-encoding", encoding).send(await body);
  });
}

function encodingFor({ headers }: FastifyRequest): keyof typeof encoders | undefined {
  const accepted = String(headers["accept-encoding"]).replace(/[\w*]+;\s*q=0(\.0*)?(?=,|\s|$)/g, "");
  return (["br", "gzip"] as const).find((one) => new RegExp(`\\b${one}\\b`).test(accepted));
}
