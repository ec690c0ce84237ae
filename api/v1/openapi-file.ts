import type { FastifyInstance } from "fastify";
import { createCachedText } from "#api/platform/cached-text.ts";
import { openApiDocument } from "./openapi.ts";
import { routes } from "./routes.ts";

/** The type that OpenAPI documents have a name for; given to who asks for it. */
const OPENAPI_TYPE = "application/vnd.oai.openapi+json";

/** Serves the document of `/v1` at `/v1/openapi.json`, the same bytes as `schema/openapi.json`. */
export function serveOpenApi(app: FastifyInstance): void {
  const send = createCachedText(() => `${JSON.stringify(openApiDocument(routes), null, 2)}\n`);
  app.get("/v1/openapi.json", { compress: false, exposeHeadRoute: true }, (request, reply) => {
    const isAskedByName = request.headers.accept?.includes(OPENAPI_TYPE);
    return send(request, reply, isAskedByName ? `${OPENAPI_TYPE};version=3.1` : "application/json; charset=utf-8");
  });
}
