import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "./errors.ts";

/**
 * For an answer that is given before the body was read: a body that says how long it is, and is not too long, is discarded
 * as it comes, so that its sender reads the answer instead of a broken connection. Any other ends with the answer.
 */
export function leaveBodyUnread(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const isTooLong = error instanceof AppError && error.code === "PAYLOAD_TOO_LARGE";
  const hasLength = request.headers["content-length"] !== undefined;
  if (!request.raw.complete && (isTooLong || !hasLength)) reply.header("connection", "close");
}
