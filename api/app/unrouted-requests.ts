import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "#api/platform/errors.ts";
import { sendError, sendJson } from "#api/v1/serve-routes.ts";

/**
 * Returns a URL whose path can be decoded. In a damaged link, such as `/100%`, each percent sign stands for itself, so the
 * link leads to the not-found page like any other unknown path.
 */
export function repairUrl(url: string): string {
  const [path = "", ...query] = url.split("?");
  try {
    // The bundler removes a call whose result isn't used.
    return decodeURIComponent(path) === "" ? "/" : url;
  } catch {
    return [path.replaceAll("%", "%25"), ...query].join("?");
  }
}

/**
 * Answers requests that no route serves. A path that accepts other methods gets 405 with `Allow`, and 204 for OPTIONS. All
 * others get 404. Call it before the routes are registered.
 * @returns a function that sets which paths are pages of the portal, because a single route serves all of them
 */
export function answerUnroutedRequests(app: FastifyInstance): (isPage: (path: string) => boolean) => void {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  let isPage = (_path: string) => false;

  function findMethods(path: string): Set<string> {
    const methods = new Set(routes.flatMap(({ pattern, methods: some }) => (pattern.test(path) ? some : [])));
    if (isPage(path)) methods.add("GET").add("HEAD");
    return methods;
  }

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = findMethods(decodeURI(request.url.split("?", 1)[0] ?? ""));
    if (methods.size === 0 || methods.has(request.method)) return sendError(reply, notFound(), request.id);
    reply.header("allow", [...methods.add("OPTIONS")].join(", "));
    if (request.method === "OPTIONS") return reply.code(204).send();
    return sendJson(reply, 405, { Message: `This address doesn't accept ${request.method}.`, requestId: request.id });
  }

  app.addHook("onRoute", ({ url, method }) => {
    if (!url.startsWith("/*")) routes.push({ pattern: toPattern(url), methods: [method].flat() });
  });
  // Before the body is read, which may be invalid.
  app.addHook("onRequest", async (request, reply) => (request.is404 ? answer(request, reply) : undefined));
  app.setNotFoundHandler(answer);
  return (isPageOfPortal) => {
    isPage = isPageOfPortal;
  };
}

/** Converts a route's URL to a regular expression that matches as the router does. */
function toPattern(url: string): RegExp {
  const path = url
    .replace(/[.\\+^$()[\]{}|]/g, "\\$&")
    .replace(/:\w+/g, "[^/]+")
    .replaceAll("*", ".*");
  return new RegExp(`^${path.replace(/\/$/, "")}/?$`, "i");
}
