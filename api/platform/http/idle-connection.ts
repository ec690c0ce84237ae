import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#api/platform/errors.ts";

/** Longest time without progress on a connection, in milliseconds. Slow connections that make progress are allowed. */
export const idleLimits = {
  /** Limit while receiving a body. */
  bodyMs: 60_000,
  /** Limit while sending a response. Detection can take up to twice as long. */
  answerMs: 60_000,
};

/** Aborts a request if its body stops arriving. Processing time after the body doesn't count. */
export function limitIdleBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.setTimeout(idleLimits.bodyMs, () => raw.destroy());
  raw.once("end", () => {
    // After the response, the connection waits for the next request, which has its own limit.
    if (!reply.raw.writableFinished) raw.socket.setTimeout(0);
  });
}

/** Aborts a response if the client stops reading it. */
export function limitIdleResponse({ raw }: FastifyReply): void {
  raw.setTimeout(idleLimits.answerMs, () => raw.destroy());
}

/**
 * Prepares a response that is sent before the body was read. A body that declares at most `maxBytes` is discarded as it
 * arrives, so that the client gets the response instead of a broken connection. Otherwise the connection is closed after
 * the response.
 */
export function discardUnreadBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, maxBytes }: { error: unknown; maxBytes: number },
): void {
  const isTooLong = error instanceof AppError && error.code === "PAYLOAD_TOO_LARGE";
  const length = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (!request.raw.complete && (isTooLong || !(length <= maxBytes))) reply.header("connection", "close");
}
