import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import processRequest from "graphql-upload/processRequest.mjs";
import { softwareFiles } from "#schema/software-files.ts";
import { refuseManyFiles, uploadLimits } from "#api/releases/software/upload/refusals.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput, toAppError } from "#api/platform/errors.ts";
import { leaveBodyUnread, limitIdleBody } from "#api/platform/idle-connection.ts";
import { authorize, permissionOf } from "#api/platform/permissions.ts";
import { giveUploadTime, hasMissedDeadline } from "#api/platform/request-deadlines.ts";
import { type Operation, permissions } from "./permissions.ts";

/** Characters that the operation, and the map of its files, may have. */
const MOST_FIELD_BYTES = 50_000;

/** The operation that multipart requests are for; its permission applies to them all. */
const OPERATION: Operation = "Mutation.uploadSoftware";

/**
 * Lets GraphQL operations with files in, as multipart requests (github.com/jaydenseric/graphql-multipart-request-spec),
 * on the routes of `door`. Only admins may send them: anybody else is answered before a byte of the body is read.
 */
export function acceptGraphqlUploads(
  door: FastifyInstance,
  contextOf: (request: FastifyRequest) => Promise<Context>,
): void {
  // The body stays unread until the hook below takes it.
  door.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null));
  const isMultipart = ({ headers }: FastifyRequest) => /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
  door.addHook("onRequest", async (request, reply) => {
    if (!isMultipart(request)) return;
    limitIdleBody(request, reply);
    try {
      const context = await contextOf(request);
      authorize(permissionOf(permissions, OPERATION), [OPERATION], context.actor);
      if (Number(request.headers["content-length"] ?? 0) > uploadLimits.multipartBytes)
        throw new AppError("PAYLOAD_TOO_LARGE");
      giveUploadTime(request, reply, uploadLimits.multipartBytes, (error) => void refuse(reply, error));
      if (context.actor) await context.rateLimits.take("softwareUpload", context.actor.userId);
      request.context = context;
    } catch (error) {
      const known = toAppError(error);
      if (known.status >= 500) request.log.error({ err: error, requestId: request.id }, "upload failed");
      return refuse(reply, known);
    }
  });
  door.addHook("preValidation", async (request, reply) => {
    if (!isMultipart(request)) return;
    try {
      const operation = processRequest(request.raw, reply.raw, {
        maxFieldSize: MOST_FIELD_BYTES,
        maxFiles: uploadLimits.files,
        maxFileSize: Math.max(...Object.values(softwareFiles).map(({ maxBytes }) => maxBytes)),
      });
      countBytes(request);
      // Answered early, nobody reads the rest; a browser waits for its body to be taken before it reads the answer.
      reply.raw.once("close", () => {
        request.raw.unpipe();
        request.raw.resume();
      });
      request.body = await operation;
    } catch (error) {
      if (hasMissedDeadline(request)) return reply;
      const refusal = toUploadRefusal(error);
      // What is neither ours nor the reader's is the parser's: no such body.
      return refuse(reply, refusal instanceof AppError ? refusal : badInput({ body: [MALFORMED] }));
    }
  });
}

/** Breaks a request off that goes on above the limit without having said so. */
function countBytes({ raw }: FastifyRequest): void {
  let bytes = 0;
  raw.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > uploadLimits.multipartBytes) raw.destroy();
  });
}

/** What the reader of multipart requests says, in our words; other errors as they are. */
export function toUploadRefusal(error: unknown): unknown {
  const { status, expose, message } = (error ?? {}) as { status?: number; expose?: boolean; message?: string };
  if (error instanceof AppError || typeof expose !== "boolean") return error;
  if (status === 413)
    return /file uploads exceeded/.test(message ?? "") ? refuseManyFiles() : new AppError("PAYLOAD_TOO_LARGE");
  return badInput({ body: [MALFORMED] });
}

const MALFORMED = "Must be a GraphQL multipart request: operations, map, then every file that the map names.";

/** Answers as GraphQL does, without reading on. */
function refuse(reply: FastifyReply, error: AppError): FastifyReply {
  const { code, fields, message, reason, status } = error;
  leaveBodyUnread(reply.request, reply, { error, maxBytes: uploadLimits.multipartBytes });
  if (error.retryAfterSeconds) reply.header("retry-after", String(error.retryAfterSeconds));
  const extensions = { code, ...(fields ? { fields } : {}), ...(reason ? { reason } : {}) };
  return reply.code(status).send({ errors: [{ message, extensions }] });
}
