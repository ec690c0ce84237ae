import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "./errors.ts";

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
