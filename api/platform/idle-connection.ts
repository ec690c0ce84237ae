import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "./errors.ts";

/** How long a connection may stand still, in milliseconds; tests shorten them. A slow one that goes on is let be. */
export const idleLimits = {
  /** While a body arrives. */
  bodyMs: 60_000,
  /** While an answer is sent; the system notices within twice this. */
  answerMs: 60_000,
};

/** Breaks a request off of whose body nothing comes any more. What takes long after the body has come is not meant. */
export function limitIdleBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.setTimeout(idleLimits.bodyMs, () => raw.destroy());
  raw.once("end", () => {
    // Once it is answered, the connection waits for the next request, with a limit of its own.
    if (!reply.raw.writableFinished) raw.socket.setTimeout(0);
  });
}

/** Breaks an answer off of which its reader takes nothing any more. */
export function limitIdleAnswer({ raw }: FastifyReply): void {
  raw.setTimeout(idleLimits.answerMs, () => raw.destroy());
}

/**
 * For an answer that is given before the body was read: a body that says that it has at most `maxBytes` is discarded
 * as it comes, so that its sender reads the answer instead of a broken connection. Any other ends with the answer.
 */
export function leaveBodyUnread(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, maxBytes }: { error: unknown; maxBytes: number },
): void {
  const isTooLong = error instanceof AppError && error.code === "PAYLOAD_TOO_LARGE";
  const length = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (!request.raw.complete && (isTooLong || !(length <= maxBytes))) reply.header("connection", "close");
}
