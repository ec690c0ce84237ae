import serveStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Where the build puts the portal. */
const portalDir = resolve("dist/web");

/** Paths of programs and files: an unknown one is a 404 there, not a page. */
const programPaths = /^\/(v1|graphql|dev|health|software|assets|media)(\/|$|\?)/;

/** Serves the portal's files, and the page itself for every address of the portal; `folder` is where the build is. */
export async function servePortal(app: FastifyInstance, folder = portalDir): Promise<void> {
  if (!existsSync(join(folder, "index.html"))) return;
  await app.register(serveStatic, {
    root: folder,
    prefix: "/",
    index: false,
    wildcard: false,
    preCompressed: true,
    decorateReply: false,
    setHeaders: (reply, path) => {
      // Names of built files carry a hash of their content: what was fetched once never changes.
      const forEver = path.startsWith(join(folder, "assets"));
      reply.header("cache-control", forEver ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  const page = await readFile(join(folder, "index.html"), "utf8");
  app.get("/*", (request, reply) => {
    if (programPaths.test(request.url)) return reply.callNotFound();
    return reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(page);
  });
}
