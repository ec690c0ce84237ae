import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#api/platform/errors.ts";
import { isCall } from "./health.ts";

declare module "fastify" {
  interface FastifyRequest {
    isPending: boolean;
  }
}

/** Calls beyond which further ones would be answered after their clients have given up. */
const defaultLimits = {
  /** Calls that may wait for their response at the same time: about a second of validations. */
  pending: 2_000,
  /** Calls that may wait for longer than `lateMs`, such as reports. More of them are a queue that grows. */
  late: 100,
  lateMs: 5_000,
};

const RETRY_AFTER_SECONDS = 5;

/**
 * Answers calls with 503 while too many others wait for their response, or wait for too long. A call counts from the moment its
 * body has been read until its response begins, so slow uploads and downloads don't count. Pages and health checks are always
 * served.
 */
export function shedLoad(app: FastifyInstance, limits = defaultLimits): void {
  let pending = 0;
  let admitted = 0;
  /** Times of the latest calls, in ms. */
  const admittedAt = new Float64Array(limits.pending);
  /** True if more calls wait than were admitted in the last `lateMs`, and `late` besides. */
  const hasTooManyLate = () =>
    pending > limits.late &&
    performance.now() - Number(admittedAt[(admitted - 1 - pending + limits.late) % limits.pending]) > limits.lateMs;
  const release = (request: FastifyRequest) => {
    if (!request.isPending) return;
    request.isPending = false;
    pending--;
  };
  app.decorateRequest("isPending", false);
  app.addHook("preHandler", (request, reply, done) => {
    // The response of a client that left while its call was being checked has closed already, so nothing would release it.
    if (!isCall(request) || reply.raw.destroyed) return done();
    if (pending >= limits.pending || hasTooManyLate())
      return done(new AppError("UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    admittedAt[admitted++ % limits.pending] = performance.now();
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
