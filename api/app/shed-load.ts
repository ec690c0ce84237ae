import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#api/platform/errors.ts";
import { isCall } from "./health.ts";

declare module "fastify" {
  interface FastifyRequest {
    isPending: boolean;
  }
}

/**
 * Calls that may wait for their response at the same time: about a second of validations. Further ones would be answered after
 * their clients have given up.
 */
const MAX_PENDING = 2_000;

const RETRY_AFTER_SECONDS = 5;

/**
 * Answers calls with 503 while too many others wait for their response. A call counts from the moment its body has been
 * read until its response begins, so slow uploads and downloads don't count. Pages and health checks are always served.
 */
export function shedLoad(app: FastifyInstance, maxPending = MAX_PENDING): void {
  let pending = 0;
  const release = (request: FastifyRequest) => {
    if (!request.isPending) return;
    request.isPending = false;
    pending--;
  };
  app.decorateRequest("isPending", false);
  app.addHook("preHandler", (request, reply, done) => {
    if (!isCall(request)) return done();
    if (pending >= maxPending) return done(new AppError("UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    pending++;
    request.isPending = true;
    // A response that never begins, because its client left.
    reply.raw.once("close", () => release(request));
    done();
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    release(request);
    done();
  });
}
