import type { FastifyInstance } from "fastify";
import { softwareStages } from "#schema/software.ts";
import { createDownloadCounts } from "#api/releases/software/count-downloads.ts";
import { findFile } from "#api/releases/software/find-file.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { sendFile } from "#api/platform/files/send-file.ts";
import { limitIdleResponse } from "#api/platform/http/idle-connection.ts";

/** Matches paths that no valid client requests: encoded slashes, backslashes, NUL, a trailing slash. */
const ODD_PATH = /%2f|%5c|\\|%00|\/$/i;

/**
 * Serves published builds below `/software/{stage}/` (decision 0023): the installer, and the manifest and
 * application files where ClickOnce expects them. They are public, because Windows and ClickOnce can't sign in.
 */
export function serveSoftware(app: FastifyInstance, services: Services): void {
  const counts = createDownloadCounts(services);
  app.addHook("onClose", async () => {
    await counts.flush();
  });
  app.route({
    method: ["GET", "HEAD"],
    url: "/software/:stage/*",
    exposeHeadRoute: false,
    compress: false,
    handler: async (request, reply) => {
      const params = request.params as { stage: string; "*": string };
      const stage = softwareStages.find(({ path }) => path === params.stage)?.value;
      if (stage === undefined || ODD_PATH.test(request.url.replace(/\?.*/s, ""))) throw notFound();
      const file = await findFile(createContext(services), stage, params["*"]);
      if (!file) throw notFound();
      const { buildId, storageKey, countedAs } = file;
      limitIdleResponse(reply);
      return sendFile(file, request, reply, {
        open: async (range) => {
          const content = await services.files.open(storageKey, range);
          if (!content) {
            services.log.error({ buildId, storageKey }, "the file of a published build is missing");
            throw new AppError("UNAVAILABLE");
          }
          return content;
        },
        onSent: () => countedAs && counts.add(buildId, countedAs),
      });
    },
  });
}
