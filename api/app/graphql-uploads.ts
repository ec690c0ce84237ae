import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import processRequest from "graphql-upload/processRequest.mjs";
import { softwareFiles } from "#schema/software-upload.ts";
import { createManyFilesError, uploadLimits } from "#api/releases/software/upload/upload-errors.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, toAppError } from "#api/platform/errors.ts";
import { discardUnreadBody, limitIdleBody } from "#api/platform/http/idle-connection.ts";
import { logFailure } from "#api/platform/observe/log.ts";
import { authorize, getPermission } from "#api/platform/graphql/permissions.ts";
import { extendUploadDeadline, hasMissedDeadline } from "#api/platform/http/request-deadlines.ts";
import { permissions } from "./permissions.ts";
import { reportRefusal } from "./observe-requests.ts";

/** Maximum size of the operation in bytes, and also of the map of its files. */
const MAX_FIELD_BYTES = 50_000;

/** The only operation sent as a multipart request. Its permission applies to all multipart requests. */
const OPERATION = "Mutation.uploadSoftware";

/**
 * Accepts GraphQL operations with files as multipart requests (github.com/jaydenseric/graphql-multipart-request-spec) on
 * the routes of `app`. Only admins may send them. Other callers are rejected before any of the body is read.
 */
export function acceptGraphqlUploads(
  app: FastifyInstance,
  contextOf: (request: FastifyRequest) => Promise<Context>,
): void {
  // The body stays unread until the hook below reads it.
  app.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null));
  const isMultipart = ({ headers }: FastifyRequest) => /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
  app.addHook("onRequest", async (request, reply) => {
    if (!isMultipart(request)) return;
    limitIdleBody(request, reply);
    let context: Context | null = null;
    try {
      context = await contextOf(request);
      authorize(getPermission(permissions, OPERATION), [OPERATION], context.actor);
      if (Number(request.headers["content-length"] ?? 0) > uploadLimits.multipartBytes)
        throw new AppError("PAYLOAD_TOO_LARGE");
      extendUploadDeadline(request, reply, uploadLimits.multipartBytes, (error) => void sendRefusal(reply, error));
      if (context.actor) await context.rateLimits.take("softwareUpload", context.actor.userId);
      request.context = context;
    } catch (error) {
      const known = toAppError(error);
      if (context) reportRefusal(context, known, `GraphQL ${OPERATION}`);
      if (known.status >= 500) logFailure(request.log, error, "upload failed", { requestId: request.id });
      return sendRefusal(reply, known);
    }
  });
  app.addHook("preValidation", async (request, reply) => {
    if (!isMultipart(request)) return;
    try {
      const operation = processRequest(request.raw, reply.raw, {
        maxFieldSize: MAX_FIELD_BYTES,
        maxFiles: uploadLimits.files,
        maxFileSize: Math.max(...Object.values(softwareFiles).map(({ maxBytes }) => maxBytes)),
      });
      limitBodyBytes(request);
      // After an early response, discard the rest of the body, because browsers send all of it before they read the
      // response.
      reply.raw.once("close", () => {
        request.raw.unpipe();
        request.raw.resume();
      });
      request.body = await operation;
    } catch (error) {
      if (hasMissedDeadline(request)) return reply;
      const refusal = toUploadError(error);
      // Any other error comes from the parser and means that the body is malformed.
      return sendRefusal(reply, refusal instanceof AppError ? refusal : badInput({ body: [MALFORMED] }));
    }
  });
}

/** Aborts a request whose body exceeds the limit although its `content-length` didn't say so. */
function limitBodyBytes({ raw }: FastifyRequest): void {
  let bytes = 0;
  raw.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > uploadLimits.multipartBytes) raw.destroy();
  });
}

/** Converts an error of the multipart parser to an {@link AppError}; returns other errors unchanged. */
export function toUploadError(error: unknown): unknown {
  const { status, expose, message } = (error ?? {}) as { status?: number; expose?: boolean; message?: string };
  if (error instanceof AppError || typeof expose !== "boolean") return error;
  if (status === 413)
    return /file uploads exceeded/.test(message ?? "") ? createManyFilesError() : new AppError("PAYLOAD_TOO_LARGE");
  return badInput({ body: [MALFORMED] });
}

const MALFORMED = "Must be a GraphQL multipart request: operations, map, then every file that the map names.";

/** Returns what GraphQL responses tell about an error besides its message. */
export function buildExtensions({ code, fields, reason, retryAfterSeconds }: AppError) {
  return {
    code,
    ...(fields ? { fields } : {}),
    ...(reason ? { reason } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

/** Sends an error in the format of GraphQL without reading the rest of the body. */
function sendRefusal(reply: FastifyReply, error: AppError): FastifyReply {
  const { message, retryAfterSeconds, status } = error;
  discardUnreadBody(reply.request, reply, { error, maxBytes: uploadLimits.multipartBytes });
  if (retryAfterSeconds) reply.header("retry-after", String(retryAfterSeconds));
  return reply.code(status).send({ errors: [{ message, extensions: buildExtensions(error) }] });
}
