import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { refusalCodes } from "#schema/error-codes.ts";
import type { Context } from "#api/platform/context.ts";
import { discardUnreadBody, limitIdleBody } from "#api/platform/http/idle-connection.ts";
import { AppError, badInput, toAppError } from "#api/platform/errors.ts";
import { authorize, getPermission, type PermissionTable } from "#api/platform/graphql/permissions.ts";
import {
  FileResponse,
  getRouteNames,
  type Route,
  StatusResponse,
  type Upload,
} from "#api/platform/http/define-route.ts";
import { alreadyAnswered, extendUploadDeadline, runUnlessAnswered } from "#api/platform/http/request-deadlines.ts";
import { logFailure } from "#api/platform/observe/log.ts";
import { check } from "#api/platform/validate.ts";

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
  const { stepUp, network } = refusalCodes;
  const code = error.code === "STEP_UP_REQUIRED" ? stepUp : error.reason === "NETWORK_NOT_ALLOWED" ? network : null;
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

/**
 * Registers the routes. Each request is authorised first, then its body is validated, then the handler runs
 * (docs/domain.md#rights). Responses are JSON, except for files.
 */
export function serveRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  permissions: PermissionTable,
  contextOf: (request: FastifyRequest) => Promise<Context>,
): void {
  const serve = (scope: FastifyInstance, route: Route) =>
    scope.route({
      method: route.method,
      url: route.url,
      // HEAD must not run the handlers of GET calls that change data (create-trial) or record an export.
      exposeHeadRoute: route.method === "GET" && !route.isExport && !route.operation.startsWith("Mutation."),
      // Compression would delay a streamed file until its buffer is full.
      ...(route.fileTypes.length > 0 ? { compress: false } : {}),
      // Runs before the body is read, so bodies of unauthorised requests are never parsed.
      onRequest: async (request, reply) => {
        const { upload } = route;
        if (upload) limitIdleBody(request, reply);
        const context = await contextOf(request);
        request.context = context;
        // The point is taken before authorisation, so refused requests count, too.
        if (context.actor?.token) await context.rateLimits.take("personalAccessToken", context.actor.userId);
        const ownerId = Object.values(request.params as Readonly<Record<string, string>>)[0]?.toLowerCase();
        authorize(getPermission(permissions, route.operation), getRouteNames(route), context.actor, ownerId);
        if (upload && Number(request.headers["content-length"] ?? 0) > upload.maxBytes)
          throw new AppError("PAYLOAD_TOO_LARGE");
        if (upload)
          extendUploadDeadline(request, reply, upload.maxBytes, (error) => void sendError(reply, error, request.id));
        if (upload?.rateLimit && context.actor) await context.rateLimits.take(upload.rateLimit, context.actor.userId);
      },
      handler: async (request, reply) => {
        const call = {
          context: request.context,
          body: route.body ? check(route.body, request.body ?? {}) : undefined,
          params: request.params,
          query: route.query ? check(route.query, request.query) : request.query,
          upload: (request.body ?? Readable.from([])) as Readable,
          contentType: request.headers["content-type"] ?? "",
        };
        const result = await runUnlessAnswered(request, () => route.handler(call as never));
        if (result === alreadyAnswered) return;
        reply.headers(route.headers);
        if (result instanceof FileResponse) return sendFile(reply, route.status, result.file);
        return result instanceof StatusResponse
          ? sendJson(reply.headers(result.headers), result.status, result.json)
          : sendJson(reply, route.status, result === undefined ? true : result);
      },
    });
  for (const route of routes) {
    if (route.upload) serveUpload(app, route.upload, (scope) => serve(scope, route));
    else serve(app, route);
  }
}

/** Registers a route with a streamed body in a separate Fastify scope, because content type parsers apply to a whole scope. */
function serveUpload(app: FastifyInstance, { types, maxBytes }: Upload, serve: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([...types], (_request: FastifyRequest, body: Readable, done: DoneParsing) =>
      done(null, body),
    );
    scope.setErrorHandler<FastifyError>((error) => {
      if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") throw error;
      const accepted = new Intl.ListFormat("en-AU", { type: "disjunction" }).format(types);
      throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message: `Please send the content type ${accepted}.` });
    });
    // Sends an error without waiting for the rest of the body.
    scope.addHook("onError", async (request, reply, error) => discardUnreadBody(request, reply, { error, maxBytes }));
    serve(scope);
  });
}

type DoneParsing = (error: null, body: Readable) => void;

/** Sends a file as a download. */
export function sendFile(reply: FastifyReply, status: number, file: FileResponse["file"]): FastifyReply {
  return reply
    .code(status)
    .type(file.contentType)
    .header("content-disposition", `attachment; filename="${file.filename}"`)
    .send(file.content);
}
