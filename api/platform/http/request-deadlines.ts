import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { messageOfErrorCode } from "#schema/error-codes.ts";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import { AppError } from "#api/platform/errors.ts";

/** Time limits for receiving a request. Tests use shorter ones. */
export interface RequestDeadlines {
  /** Time from the start of the connection, or the previous request, to the end of the headers, in milliseconds. */
  readonly headersMs: number;
  /** Time from the end of the headers to the end of the body, except for uploads, in milliseconds. */
  readonly bodyMs: number;
  /** Time allowed for an upload in addition to the time for its size, in milliseconds. */
  readonly uploadMs: number;
  /** Slowest connection that can upload a file of the maximum size, in bytes per second. */
  readonly uploadBytesPerSecond: number;
  /** Interval at which Node checks for late headers, in milliseconds. */
  readonly checkedEveryMs: number;
}

export const defaultDeadlines: RequestDeadlines = {
  headersMs: 15 * SECOND,
  bodyMs: 15 * SECOND,
  uploadMs: MINUTE,
  uploadBytesPerSecond: 100_000,
  checkedEveryMs: SECOND,
};

/** Node's limit for a whole request, including uploads. A fallback in case a deadline isn't set. */
const LONGEST_REQUEST_MS = 30 * MINUTE;

/** Longest time to send the 408 response before the connection is closed anyway. */
const ANSWER_MS = 2 * SECOND;

interface Deadline {
  readonly deadlines: RequestDeadlines;
  timer: NodeJS.Timeout;
  isMissed: boolean;
  /** Sends the response. If missing, the reader of the body gets an error instead. */
  answer?: () => void;
}

const deadlineOf = new WeakMap<IncomingMessage, Deadline>();

/** Returns the options of the HTTP server: Node's limits for headers and for whole requests. */
export function getServerOptions({ headersMs, checkedEveryMs }: RequestDeadlines) {
  return {
    requestTimeout: LONGEST_REQUEST_MS,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkedEveryMs },
    clientErrorHandler: answerBrokenRequest,
  };
}

/**
 * Ends requests with a body that takes longer than {@link RequestDeadlines.bodyMs} to arrive, even if it keeps arriving
 * slowly. Sends 408 if there was no response yet, then closes the connection.
 */
export function limitBodyTime(app: FastifyInstance, deadlines: RequestDeadlines): void {
  // A hook wouldn't see the bodies of requests that match no route.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (encoding === undefined && !(Number(length) > 0)) return;
    const timer = setTimeout(() => expire(request, response), deadlines.bodyMs).unref();
    deadlineOf.set(request, { deadlines, timer, isMissed: false });
    request.once("close", () => clearTimeout(deadlineOf.get(request)?.timer));
  });
}

/**
 * Extends the deadline of an upload to the time that a file of the maximum size takes on a slow connection. Call it
 * only after checking that the caller may upload.
 * @param answer sends an error in the format of the route
 */
export function extendUploadDeadline(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
  answer: (error: AppError) => void,
): void {
  const deadline = deadlineOf.get(raw);
  if (!deadline || deadline.isMissed) return;
  const { uploadMs, uploadBytesPerSecond } = deadline.deadlines;
  clearTimeout(deadline.timer);
  deadline.timer = setTimeout(
    () => expire(raw, reply.raw),
    uploadMs + (maxBytes / uploadBytesPerSecond) * SECOND,
  ).unref();
  deadline.answer = () => {
    // Ignores the result of the handler once the response has been sent.
    reply.raw.once("finish", () => {
      reply.hijack();
    });
    answer(new AppError("REQUEST_TIMEOUT"));
  };
}

/** Returns whether a request missed its deadline and was already answered. */
export function hasMissedDeadline({ raw }: FastifyRequest): boolean {
  return deadlineOf.get(raw)?.isMissed ?? false;
}

/** Result of {@link runUnlessAnswered} for a request that was already answered with 408. */
export const alreadyAnswered = Symbol("already answered");

/** Runs the handler of a request and ignores its error if the upload has missed its deadline. */
export async function runUnlessAnswered(request: FastifyRequest, handle: () => unknown): Promise<unknown> {
  try {
    return await handle();
  } catch (error) {
    if (deadlineOf.get(request.raw)?.answer && hasMissedDeadline(request)) return alreadyAnswered;
    throw error;
  }
}

function expire(request: IncomingMessage, response: ServerResponse): void {
  const deadline = deadlineOf.get(request);
  if (!deadline || request.complete || request.destroyed) return;
  deadline.isMissed = true;
  // The response was sent before the body was read.
  if (response.headersSent) return void request.destroy();
  response.setHeader("connection", "close");
  response.once("finish", () => request.destroy());
  setTimeout(() => request.destroy(), ANSWER_MS).unref();
  if (deadline.answer) deadline.answer();
  else if (request.listenerCount("error") > 0) request.emit("error", new AppError("REQUEST_TIMEOUT"));
}

/** Responds to malformed requests and late headers directly on the connection. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const requestId = randomUUID();
  const { status, json } = createErrorResponse(error.code, requestId);
  const body = JSON.stringify(json);
  if (socket.writable)
    socket.write(
      [
        `HTTP/1.1 ${status}`,
        "content-type: application/json; charset=utf-8",
        `content-length: ${Buffer.byteLength(body)}`,
        "connection: close",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        `x-request-id: ${requestId}`,
        "",
        body,
      ].join("\r\n"),
    );
  socket.destroySoon();
}

function createErrorResponse(code: string | undefined, requestId: string): { status: string; json: object } {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: "408 Request Timeout", json: { Message: messageOfErrorCode.REQUEST_TIMEOUT, requestId } };
  if (code === "HPE_HEADER_OVERFLOW")
    return {
      status: "431 Request Header Fields Too Large",
      json: { Message: "The headers of this request are too large.", requestId },
    };
  return { status: "400 Bad Request", json: { body: ["Must be a valid HTTP request."] } };
}
