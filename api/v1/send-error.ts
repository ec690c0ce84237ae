import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, badInput, toAppError } from "#api/platform/errors.ts";
import { logFailure } from "#api/platform/observe/log-failure.ts";

/** `code` of the 403 that a client answers by proving the user's identity (decision 0059). */
const STEP_UP = "step_up_required";

/** `code` of the 403 for a personal access token that is used outside its networks. */
const NETWORK = "network_not_allowed";

/** Codes of the errors of streams that end because the other side went away. */
const abortCodes = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"]);

/** Converts any error of a request to an AppError. Logs it if it is a server error. */
export function toKnownError(error: unknown, request: FastifyRequest): AppError {
  const known = toAppError(fromFastify(error));
  if (known.status < 500) return known;
  const requestId = request.id;
  if (hasClientLeft(error, request)) request.log.info({ requestId }, "the client closed the connection");
  else logFailure(request.log, error, "request failed", { requestId });
  return known;
}

/** Returns whether a request failed only because its client closed the connection, for example during a download. */
function hasClientLeft(error: unknown, { raw }: FastifyRequest): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return raw?.socket?.destroyed === true && typeof code === "string" && abortCodes.has(code);
}

/**
 * Sends an error in the format of `/v1`: 400 with messages by field, 404 with a string, and other statuses with
 * `{Message, requestId}`. A missing proof of identity and a token outside its networks also have a `code`.
 */
export function sendError(reply: FastifyReply, error: AppError, requestId: string): FastifyReply {
  if (error.retryAfterSeconds) reply.header("retry-after", String(error.retryAfterSeconds));
  if (error.code === "BAD_USER_INPUT") return sendJson(reply, 400, error.fields ?? { body: [error.message] });
  if (error.code === "NOT_FOUND") return sendJson(reply, 404, error.message);
  const code = error.code === "STEP_UP_REQUIRED" ? STEP_UP : error.reason === "NETWORK_NOT_ALLOWED" ? NETWORK : null;
  return sendJson(reply, error.status, { Message: error.message, ...(code ? { code } : {}), requestId });
}

/** Sends JSON, or no body for status 204. */
export function sendJson(reply: FastifyReply, status: number, json: unknown): FastifyReply {
  if (status === 204) return reply.code(status).send();
  return reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(json));
}

/**
 * Converts the errors of Fastify and its plugins about a request, such as a body that is too large, to an AppError.
 * Returns other errors unchanged: many clients of other services also set a status code on their errors.
 */
function fromFastify(error: unknown): unknown {
  // Errors can have any properties: the code of a time-out is a number.
  const { statusCode = 500, code, expose } = (error ?? {}) as { statusCode?: number; code?: unknown; expose?: unknown };
  const isAboutRequest = (String(code).startsWith("FST_") || expose === true) && statusCode < 500;
  if (error instanceof AppError || !isAboutRequest) return error;
  if (statusCode === 413) return new AppError("PAYLOAD_TOO_LARGE");
  if (statusCode === 415) return new AppError("UNSUPPORTED_MEDIA_TYPE");
  if (statusCode === 404) return new AppError("NOT_FOUND");
  return badInput({ body: ["The request is malformed."] });
}
