import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { sentenceOfErrorCode } from "#schema/error-codes.ts";
import { MINUTE, SECOND } from "./clock.ts";
import { AppError } from "./errors.ts";

/** How long a request may take to arrive; tests pass shorter times. */
export interface RequestDeadlines {
  /** Milliseconds from the connection, or the request before, to the end of the headers. */
  readonly headersMs: number;
  /** Milliseconds from the end of the headers to the end of the body, outside uploads. */
  readonly bodyMs: number;
  /** Milliseconds that an upload may take beyond what its size allows for. */
  readonly uploadMs: number;
  /** Slowest connection that may upload a file of the largest size, in bytes per second. */
  readonly uploadBytesPerSecond: number;
  /** How often Node looks for requests whose headers are late, in milliseconds. */
  readonly checkedEveryMs: number;
}

export const requestDeadlines: RequestDeadlines = {
  headersMs: 15 * SECOND,
  bodyMs: 15 * SECOND,
  uploadMs: MINUTE,
  uploadBytesPerSecond: 100_000,
  checkedEveryMs: 5 * SECOND,
};

/** Node's own limit for a whole request, uploads included, should a deadline of ours ever be missing. */
const LONGEST_REQUEST_MS = 30 * MINUTE;

/** Time for the answer 408 to be written before the connection is closed without it. */
const ANSWER_MS = 2 * SECOND;

interface Deadline {
  readonly deadlines: RequestDeadlines;
  timer: NodeJS.Timeout;
  isMissed: boolean;
  /** Answers the request; without it, whoever reads the body meets an error. */
  answer?: () => void;
}

const deadlineOf = new WeakMap<IncomingMessage, Deadline>();

/** Returns the settings of the HTTP server: limits of Node's for headers and for requests as a whole. */
export function serverTimeouts({ headersMs, checkedEveryMs }: RequestDeadlines) {
  return {
    requestTimeout: LONGEST_REQUEST_MS,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkedEveryMs },
    clientErrorHandler: answerBrokenRequest,
  };
}

/**
 * Ends requests whose body takes longer than {@link RequestDeadlines.bodyMs} to arrive, however steadily it drips: with 408
 * where they were not answered yet, then by closing the connection.
 */
export function limitBodyTime(app: FastifyInstance, deadlines: RequestDeadlines): void {
  // Not a hook: requests that reach no route have bodies, too.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    if (encoding === undefined && !(Number(length) > 0)) return;
    const timer = setTimeout(() => miss(request, response), deadlines.bodyMs).unref();
    deadlineOf.set(request, { deadlines, timer, isMissed: false });
    request.once("close", () => clearTimeout(deadlineOf.get(request)?.timer));
  });
}

/**
 * Gives an upload the time that its largest size takes on a slow connection. Call it once the sender is known to have the
 * right to upload: nobody else gets that time.
 * @param answer sends the error as the route answers errors
 */
export function giveUploadTime(
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
    () => miss(raw, reply.raw),
    uploadMs + (maxBytes / uploadBytesPerSecond) * SECOND,
  ).unref();
  deadline.answer = () => {
    // Once it is answered, what the handler makes of the broken body is nobody's concern.
    reply.raw.once("finish", () => {
      reply.hijack();
    });
    answer(new AppError("REQUEST_TIMEOUT"));
  };
}

/** Whether a request was ended for its body's time, so that nothing is left to answer. */
export function hasMissedDeadline({ raw }: FastifyRequest): boolean {
  return deadlineOf.get(raw)?.isMissed ?? false;
}

/** What {@link unlessAnswered} returns for a request that was answered with 408. */
export const alreadyAnswered = Symbol("already answered");

/** Runs the handler of a request; what it makes of an upload that missed its deadline is dropped. */
export async function unlessAnswered(request: FastifyRequest, handle: () => unknown): Promise<unknown> {
  try {
    return await handle();
  } catch (error) {
    if (deadlineOf.get(request.raw)?.answer && hasMissedDeadline(request)) return alreadyAnswered;
    throw error;
  }
}

function miss(request: IncomingMessage, response: ServerResponse): void {
  const deadline = deadlineOf.get(request);
  if (!deadline || request.complete || request.destroyed) return;
  deadline.isMissed = true;
  // Answered already, before its body was read.
  if (response.headersSent) return void request.destroy();
  response.setHeader("connection", "close");
  response.once("finish", () => request.destroy());
  setTimeout(() => request.destroy(), ANSWER_MS).unref();
  if (deadline.answer) deadline.answer();
  else if (request.listenerCount("error") > 0) request.emit("error", new AppError("REQUEST_TIMEOUT"));
}

/** Answers what is no request, or whose headers are late, on the bare connection. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const { status, json } = answerOf(error.code);
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
        "",
        body,
      ].join("\r\n"),
    );
  socket.destroySoon();
}

function answerOf(code: string | undefined): { status: string; json: object } {
  const requestId = randomUUID();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: "408 Request Timeout", json: { Message: sentenceOfErrorCode.REQUEST_TIMEOUT, requestId } };
  if (code === "HPE_HEADER_OVERFLOW")
    return {
      status: "431 Request Header Fields Too Large",
      json: { Message: "The headers of this request are too large.", requestId },
    };
  return { status: "400 Bad Request", json: { body: ["Must be a valid HTTP request."] } };
}
