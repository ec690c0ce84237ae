import type { FastifyInstance } from "fastify";
import { createDownloadCounts } from "#api/releases/software/count-downloads.ts";
import { stageOfPath } from "#api/releases/software/find-build.ts";
import { findFile } from "#api/releases/software/find-file.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { sendFile } from "#api/platform/files/send-file.ts";
import { limitIdleAnswer } from "#api/platform/idle-connection.ts";

/** What no client writes into the address of a file: an encoded slash, a backslash, a NUL, a slash at the end. */
const ODD_PATH = /%2f|%5c|\\|%00|\/$/i;

/**
 * Serves published builds below `/software/{stage}/` (decisions 0023, 0043): the installer, and the manifest and
 * application files where ClickOnce expects them. Public: neither Windows nor ClickOnce has a session.
 */
export function serveSoftware(app: FastifyInstance, services: Services): void {
  const { files, log } = services;
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
      const asked = request.params as { stage: string; "*": string };
      const stage = stageOfPath(asked.stage);
      if (stage === undefined || ODD_PATH.test(request.url.replace(/\?.*/s, ""))) throw notFound();
      const file = await findFile(createContext(services), stage, asked["*"]);
      if (!file) throw notFound();
      const { buildId, storageKey, countedAs } = file;
      limitIdleAnswer(reply);
      return sendFile(file, request, reply, {
        open: async (range) => {
          const content = await files.open(storageKey, range);
          if (!content) {
            log.error({ buildId, storageKey }, "the file of a published build is missing");
            throw new AppError("UNAVAILABLE");
          }
          return content;
        },
        onSent: () => countedAs && counts.add(buildId, countedAs),
      });
    },
  });
}
