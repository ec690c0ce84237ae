import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { type Static, type TSchema, Type } from "typebox";
import type { AnyObjectSchema, InferType } from "yup";
import type { Audience } from "#api/platform/audience.ts";
import type { Context } from "#api/platform/context.ts";
import type { ErrorCode } from "#schema/error-codes.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { leaveBodyUnread, limitIdleBody } from "#api/platform/idle-connection.ts";
import { authorize, permissionOf } from "#api/platform/permissions.ts";
import type { RateLimitName } from "#api/platform/rate-limits.ts";
import { alreadyAnswered, giveUploadTime, unlessAnswered } from "#api/platform/request-deadlines.ts";
import { type Operation, permissions } from "#api/app/permissions.ts";
import { sendError, sendJson } from "./send-error.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the caller is known; see `serveRoutes` and the GraphQL context. */
    context: Context;
  }
}

/** The answer of calls that only do something. */
const done = Type.Literal(true, { description: "Done." });

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler is given. */
export interface RouteCall<Body, Query = Readonly<Record<string, unknown>>> {
  readonly context: Context;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  /** Checked where the route has rules for it, else as it came. */
  readonly query: Query;
  /** The body as it arrives, where the route takes an {@link Upload}; else nothing. */
  readonly upload: Readable;
  /** Type of the body, as the request states it. */
  readonly contentType: string;
}

/** A body that is handed on as a stream instead of being read and checked: a file that is too big for memory. */
export interface Upload {
  /** Content types that are taken; others are answered 415. */
  readonly types: readonly string[];
  /** A body that says it is bigger is refused before it is read, with 413; the handler counts what it reads. */
  readonly maxBytes: number;
  /** What takes a point of the caller's account before the body is read. */
  readonly rateLimit?: RateLimitName;
  /** Schema of the body by content type, for the documentation. */
  readonly schemas?: Readonly<Record<string, object>>;
  /** Example of it by content type; a file is the name of one. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** What a name in an address means, for the documentation. */
export interface Param {
  readonly description: string;
  /** Left out where the example address goes without it. */
  readonly example?: string | number;
}

/** An {@link Answer} as the documentation shows it; without a schema it has no body. */
export interface OtherAnswer {
  readonly description: string;
  readonly schema?: TSchema;
  readonly example?: unknown;
}

/** One call of `/v1`: everything that the server, the permission test and OpenAPI need to know. */
export interface Route {
  readonly method: Method;
  readonly url: string;
  /** Name of its row in the permissions. */
  readonly operation: string;
  /** Must match the audience of the row. */
  readonly allow: Audience;
  readonly summary: string;
  readonly tag: string;
  readonly body: AnyObjectSchema | undefined;
  readonly query: AnyObjectSchema | undefined;
  /** Names in the path and the query. */
  readonly params: Readonly<Record<string, Param>>;
  /** Set where the body is a stream. */
  readonly upload: Upload | undefined;
  readonly status: number;
  /** Extra headers of a successful answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that the handler adds to its {@link Answer}, for the documentation. */
  readonly answerHeaders: Readonly<Record<string, { readonly description: string; readonly schema: object }>>;
  /** What to use instead, where the call is deprecated (`deprecation.ts`). */
  readonly deprecated: string | undefined;
  /** Example of the body, for the documentation. */
  readonly bodyExample: unknown;
  /** Shape of a successful answer; undefined for a file. */
  readonly answer: TSchema | undefined;
  /** Example of it, for the documentation. */
  readonly example: unknown;
  /** Answers of other statuses that are this call's own, such as the token call's 400. */
  readonly otherAnswers: Readonly<Record<number, OtherAnswer>>;
  /** Errors beyond those that follow from the rest, such as CONFLICT. */
  readonly errors: readonly ErrorCode[];
  /** Type of a {@link FileAnswer}, for the documentation; undefined for JSON. */
  readonly fileType: string | undefined;
  readonly handler: (call: RouteCall<never, never>) => unknown;
}

/**
 * Declares a call of `/v1`; its body is checked by `body`, its query by `query` before the handler runs. What it answers
 * has the shape that `answer` says: by its type, and outside production each answer is held against it (decision 0047).
 */
export function defineRoute<
  Rules extends AnyObjectSchema | undefined = undefined,
  QueryRules extends AnyObjectSchema | undefined = undefined,
  Shape extends TSchema = typeof done,
>(route: {
  method: Method;
  url: string;
  /** The GraphQL operation that calls the same function, whose permission applies; by default the route has a row of its own. */
  operation?: Operation;
  allow: Audience;
  summary: string;
  tag: string;
  body?: Rules;
  query?: QueryRules;
  params?: Readonly<Record<string, Param>>;
  upload?: Upload;
  status?: number;
  headers?: Record<string, string>;
  answerHeaders?: Route["answerHeaders"];
  deprecated?: string;
  bodyExample?: unknown;
  /** `true` when left out, which the handler need not return. */
  answer?: Shape;
  example?: unknown;
  otherAnswers?: Readonly<Record<number, OtherAnswer>>;
  errors?: readonly ErrorCode[];
  fileType?: string;
  handler: (
    call: RouteCall<
      Rules extends AnyObjectSchema ? InferType<Rules> : undefined,
      QueryRules extends AnyObjectSchema ? InferType<QueryRules> : Readonly<Record<string, unknown>>
    >,
  ) => Handled<Shape> | Promise<Handled<Shape>>;
}): Route {
  return {
    status: 200,
    headers: {},
    answerHeaders: {},
    params: {},
    deprecated: undefined,
    bodyExample: undefined,
    otherAnswers: {},
    errors: [],
    fileType: undefined,
    ...route,
    operation: route.operation ?? `${route.method} ${route.url}`,
    answer: route.fileType ? undefined : (route.answer ?? done),
    example: route.answer ? route.example : true,
    body: route.body,
    query: route.query,
    upload: route.upload,
    handler: route.handler as Route["handler"],
  };
}

/** The names by which a route is let through: its own and that of its row. */
export function namesOf({ method, url, operation }: Pick<Route, "method" | "url" | "operation">): string[] {
  return [`${method} ${url}`, operation];
}

/** What a handler may return; nothing stands for `true`. */
type Handled<Shape extends TSchema> =
  | Static<Shape>
  | Answer
  | FileAnswer
  | (true extends Static<Shape> ? undefined | void : never);

/** An answer whose status only the handler knows, such as a business refusal with 400 (the token call). */
export class Answer {
  readonly status: number;
  readonly json: unknown;
  /** Headers of this answer, next to those of the route. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, json: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.json = json;
    this.headers = headers;
  }
}

/** An answer that is a file to keep instead of JSON. */
export class FileAnswer {
  /** What is too large to hold at once comes as a stream; one that fails breaks the download off. */
  readonly file: { readonly filename: string; readonly contentType: string; readonly content: Buffer | Readable };

  constructor(file: FileAnswer["file"]) {
    this.file = file;
  }
}

/**
 * Serves the routes: rights first, then the body, then the function; JSON but for files (docs/domain.md#rights).
 * With and without a trailing slash, because some documented paths end with one.
 */
export function serveRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  contextOf: (request: FastifyRequest) => Promise<Context>,
): void {
  const serve = (door: FastifyInstance, route: Route) =>
    door.route({
      method: route.method,
      url: route.url,
      // HEAD would run the handler of a GET that mutates (create-trial).
      exposeHeadRoute: false,
      // A file that is written while it is read would be held back until there is enough of it to compress.
      ...(route.fileType ? { compress: false } : {}),
      // Runs before the body is read: a stranger's megabyte is never parsed.
      onRequest: async (request, reply) => {
        const { upload } = route;
        if (upload) limitIdleBody(request, reply);
        const context = await contextOf(request);
        // Before it is refused anything: a refusal counts too.
        if (context.actor?.token) await context.rateLimits.take("personalAccessToken", context.actor.userId);
        authorize(permissionOf(permissions, route.operation), namesOf(route), context.actor);
        request.context = context;
        if (upload && Number(request.headers["content-length"] ?? 0) > upload.maxBytes)
          throw new AppError("PAYLOAD_TOO_LARGE");
        if (upload)
          giveUploadTime(request, reply, upload.maxBytes, (error) => void sendError(reply, error, request.id));
        if (upload?.rateLimit && context.actor) await context.rateLimits.take(upload.rateLimit, context.actor.userId);
      },
      handler: async (request, reply) => {
        const call = {
          context: request.context,
          body: (route.body ? check(route.body, request.body ?? {}) : undefined) as never,
          params: request.params as Record<string, string>,
          query: (route.query ? check(route.query, request.query) : request.query) as never,
          upload: (request.body ?? Readable.from([])) as Readable,
          contentType: request.headers["content-type"] ?? "",
        };
        const result = await unlessAnswered(request, () => route.handler(call));
        if (result === alreadyAnswered) return;
        reply.headers(route.headers);
        if (result instanceof FileAnswer) return sendFile(reply, route.status, result.file);
        return result instanceof Answer
          ? sendJson(reply.headers(result.headers), result.status, result.json)
          : sendJson(reply, route.status, result === undefined ? true : result);
      },
    });
  for (const route of routes) {
    if (route.upload) serveUpload(app, route.upload, (door) => serve(door, route));
    else serve(app, route);
  }
}

/** Content types are read for a whole Fastify: a body that is a stream has one of its own. */
function serveUpload(app: FastifyInstance, { types, maxBytes }: Upload, serve: (door: FastifyInstance) => void): void {
  void app.register(async (door) => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser([...types], (_request: FastifyRequest, body: Readable, done: DoneParsing) =>
      done(null, body),
    );
    // A refusal does not wait for the rest of the body.
    door.addHook("onError", async (request, reply, error) => leaveBodyUnread(request, reply, { error, maxBytes }));
    serve(door);
  });
}

type DoneParsing = (error: null, body: Readable) => void;

function sendFile(reply: FastifyReply, status: number, file: FileAnswer["file"]): FastifyReply {
  return reply
    .code(status)
    .type(file.contentType)
    .header("content-disposition", `attachment; filename="${file.filename}"`)
    .send(file.content);
}
