import type { FastifyInstance } from "fastify";
import { createCachedText } from "#api/platform/http/cached-text.ts";
import { buildOpenApiDocument } from "./openapi.ts";
import { routes } from "./routes.ts";

/** Media type of OpenAPI documents, sent to clients that accept it. */
const OPENAPI_TYPE = "application/vnd.oai.openapi+json";

/** Serves the OpenAPI document at `/v1/openapi.json`, with the same bytes as `schema/openapi.json`. */
export function serveOpenApi(app: FastifyInstance): void {
  const send = createCachedText(() => `${JSON.stringify(buildOpenApiDocument(routes), null, 2)}\n`);
  app.get("/v1/openapi.json", { compress: false, exposeHeadRoute: true }, (request, reply) => {
    const acceptsOpenApi = request.headers.accept?.includes(OPENAPI_TYPE);
    return send(request, reply, acceptsOpenApi ? `${OPENAPI_TYPE};version=3.1` : "application/json; charset=utf-8");
  });
}
