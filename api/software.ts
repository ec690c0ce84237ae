import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Readable } from "node:stream";
import { findBuildOf, findCurrentBuild, stageOfPath } from "./features/software/find-build.ts";
import type { SoftwareBuild } from "./features/software/software-build.entity.ts";
import { type Context, createContext, type Services } from "./platform/context.ts";
import { AppError, notFound } from "./platform/errors.ts";
import { readByteRange } from "./platform/files/byte-range.ts";
import { STOP_WAIT_MS } from "./platform/stop-wait.ts";

/** Type of Windows programs (IANA); no client shows it as a page, and nothing compresses it again. */
const PROGRAM = "application/vnd.microsoft.portable-executable";

interface Address {
  readonly stage: string;
  readonly version: string;
  readonly fileName: string;
}

/**
 * Serves published builds (decision 0023): `/software/{stage}/setup.exe` is whatever the stage offers now,
 * `/software/{stage}/{version}/{file name}` one build, for as long as it is not taken back. Names in addresses
 * are compared with rows and never lead to a file by themselves.
 */
export function serveSoftware(app: FastifyInstance, services: Services): void {
  const running = new Set<Readable>();
  // Whoever is cut off goes on with `Range` elsewhere.
  app.addHook("preClose", (done) => {
    setTimeout(() => running.forEach((content) => content.destroy()), STOP_WAIT_MS).unref();
    done();
  });
  const serve = (
    url: string,
    cacheControl: string,
    find: (context: Context, stage: number, address: Address) => Promise<SoftwareBuild | null>,
  ) =>
    app.route({
      method: ["GET", "HEAD"],
      url,
      exposeHeadRoute: false,
      compress: false,
      handler: async (request, reply) => {
        const address = request.params as Address;
        const stage = stageOfPath(address.stage);
        const build = stage === undefined ? null : await find(createContext(services), stage, address);
        if (!build) throw notFound();
        return sendBuild({ ...services, running }, build, request, reply.header("cache-control", cacheControl));
      },
    });
  serve("/software/:stage/setup.exe", "public, no-cache", findCurrentBuild);
  // The file never changes, but it may be taken back, which caches shall learn of within the hour.
  serve("/software/:stage/:version/:fileName", "public, max-age=3600", async (context, stage, address) => {
    const build = await findBuildOf(context, stage, address.version);
    return build?.fileName === address.fileName ? build : null;
  });
}

async function sendBuild(
  { files, log, running }: Services & { running: Set<Readable> },
  build: SoftwareBuild,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${build.sha256}"`;
  reply.headers({
    etag,
    "accept-ranges": "bytes",
    ...(build.publishedAt ? { "last-modified": build.publishedAt.toUTCString() } : {}),
  });
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();

  const asked = isResumable(request, etag) ? readByteRange(request.headers.range, build.sizeBytes) : null;
  if (asked === "unsatisfiable") return reply.code(416).header("content-range", `bytes */${build.sizeBytes}`).send();
  const length = asked ? asked.end - asked.start + 1 : build.sizeBytes;
  reply.type(PROGRAM).headers({
    "content-length": String(length),
    "content-disposition": `attachment; filename="${build.fileName}"`,
  });
  if (asked) reply.code(206).header("content-range", `bytes ${asked.start}-${asked.end}/${build.sizeBytes}`);
  if (request.method === "HEAD") return reply.send();

  const content = await files.open(build.storageKey, asked ?? undefined);
  if (!content) {
    log.error({ buildId: build.id, storageKey: build.storageKey }, "the file of a published build is missing");
    throw new AppError("UNAVAILABLE");
  }
  running.add(content.once("close", () => running.delete(content)));
  return reply.send(content);
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
