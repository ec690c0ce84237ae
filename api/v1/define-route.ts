import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { type Static, type TSchema, Type } from "typebox";
import type { AnyObjectSchema, InferType } from "yup";
import type { Context } from "#api/platform/context.ts";
import type { ErrorCode } from "#schema/error-codes.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { discardUnreadBody, limitIdleBody } from "#api/platform/database/idle-connection.ts";
import { authorize, getPermission, type Permission, type PermissionTable } from "#api/platform/graphql/permissions.ts";
import type { RateLimitName } from "#api/platform/limits/rate-limits.ts";
import { alreadyAnswered, extendUploadDeadline, runUnlessAnswered } from "#api/platform/http/request-deadlines.ts";
import { sendError, sendJson } from "./send-error.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Context of the request, set once the caller has been authenticated, by `serveRoutes` or the GraphQL server. */
    context: Context;
  }
}

/** Response of calls that return no data. */
const done = Type.Literal(true, { description: "Done." });

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The parts of a request that a handler receives. */
export interface RouteCall<Body, Query = Readonly<Record<string, unknown>>> {
  readonly context: Context;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  /** Validated if the route has rules for it, otherwise as received. */
  readonly query: Query;
  /** The body as a stream if the route accepts an {@link Upload}, otherwise an empty stream. */
  readonly upload: Readable;
  /** Content type of the body, from the request. */
  readonly contentType: string;
}

/** A body that is passed on as a stream, because it is too large for memory. */
export interface Upload {
  /** Accepted content types. Others get status 415. */
  readonly types: readonly string[];
  /**
   * Size limit in bytes. A larger `Content-Length` gets status 413 before the body is read. The handler must count the
   * bytes itself.
   */
  readonly maxBytes: number;
  /** Rate limit per account, applied before the body is read. */
  readonly rateLimit?: RateLimitName;
  /** Schema of the body by content type, for the documentation. */
  readonly schemas?: Readonly<Record<string, object>>;
  /** Example of the body by content type. For a file it is a file name. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

/** Documentation of a path or query parameter. */
export interface Param {
  readonly description: string;
  /** Value in the example URL; undefined if the example doesn't include the parameter. */
  readonly example?: string | number;
}

/** Documentation of a {@link StatusResponse}. Without a schema, the response has no body. */
export interface OtherResponse {
  readonly description: string;
  readonly schema?: TSchema;
  readonly example?: unknown;
}

/** A call of `/v1`, as used by the server, the permission test and the OpenAPI document. */
export interface Route {
  readonly method: Method;
  readonly url: string;
  /** Operation whose permission the call has: a GraphQL operation with the same function, or the call itself. */
  readonly operation: string;
  /** Permission of a call that shares none. */
  readonly allow: Permission | undefined;
  readonly summary: string;
  readonly tag: string;
  readonly body: AnyObjectSchema | undefined;
  readonly query: AnyObjectSchema | undefined;
  /** Path and query parameters by name. */
  readonly params: Readonly<Record<string, Param>>;
  /** Set if the body is a stream. */
  readonly upload: Upload | undefined;
  readonly status: number;
  /** Extra headers of a successful response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Documentation of headers that the handler adds to its {@link StatusResponse}. */
  readonly responseHeaders: Readonly<Record<string, { readonly description: string; readonly schema: object }>>;
  /** Alternative to a deprecated call (`deprecation.ts`). */
  readonly deprecated: string | undefined;
  /** Example of the body, for the documentation. */
  readonly bodyExample: unknown;
  /** Schema of a successful response. Undefined for a file. */
  readonly response: TSchema | undefined;
  /** Example of a successful response, for the documentation. */
  readonly example: unknown;
  /** Responses with other statuses that are specific to this call, such as 400 from the token call. */
  readonly otherResponses: Readonly<Record<number, OtherResponse>>;
  /** Error codes that can't be derived from the other properties, such as CONFLICT. */
  readonly errors: readonly ErrorCode[];
  /** Content types of a {@link FileResponse}, for the documentation, the default first. Empty for JSON. */
  readonly fileTypes: readonly string[];
  /** Example of a {@link FileResponse} in CSV: its first lines. */
  readonly fileExample: string | undefined;
  readonly handler: (call: RouteCall<never, never>) => unknown;
}

/**
 * Declares a call of `/v1`. The rules `body` and `query` validate the request before the handler runs. The type of `response`
 * determines the handler's return type. Outside production, each response is also validated against it.
 */
export function defineRoute<
  Rules extends AnyObjectSchema | undefined = undefined,
  QueryRules extends AnyObjectSchema | undefined = undefined,
  Shape extends TSchema = typeof done,
>(route: {
  method: Method;
  url: string;
  /** GraphQL operation with the same function, whose permission the call takes. Otherwise `allow` states one. */
  operation?: `${"Query" | "Mutation"}.${string}`;
  allow?: Permission;
  summary: string;
  tag: string;
  body?: Rules;
  query?: QueryRules;
  params?: Readonly<Record<string, Param>>;
  upload?: Upload;
  status?: number;
  headers?: Record<string, string>;
  responseHeaders?: Route["responseHeaders"];
  deprecated?: string;
  bodyExample?: unknown;
  /** Schema of the response. By default `true`, which the handler doesn't have to return. */
  response?: Shape;
  example?: unknown;
  otherResponses?: Readonly<Record<number, OtherResponse>>;
  errors?: readonly ErrorCode[];
  fileTypes?: readonly string[];
  fileExample?: string;
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
    responseHeaders: {},
    params: {},
    deprecated: undefined,
    bodyExample: undefined,
    otherResponses: {},
    errors: [],
    fileTypes: [],
    ...route,
    operation: route.operation ?? `${route.method} ${route.url}`,
    allow: route.allow,
    fileExample: route.fileExample,
    response: route.fileTypes?.length ? undefined : (route.response ?? done),
    example: route.response ? route.example : true,
    body: route.body,
    query: route.query,
    upload: route.upload,
    handler: route.handler as Route["handler"],
  };
}

/** Returns the names under which a route is authorised: its method and URL, and the operation whose permission it has. */
export function getRouteNames({ method, url, operation }: Pick<Route, "method" | "url" | "operation">): string[] {
  return [`${method} ${url}`, operation];
}

/** Return values of a handler. `undefined` is sent as `true`. */
type Handled<Shape extends TSchema> =
  | Static<Shape>
  | StatusResponse
  | FileResponse
  | (true extends Static<Shape> ? undefined | void : never);

/** A response with a status that the handler chooses, such as 400 from the token call. */
export class StatusResponse {
  readonly status: number;
  readonly json: unknown;
  /** Headers of this response, in addition to the route's headers. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, json: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.json = json;
    this.headers = headers;
  }
}

/** A response with a file to download instead of JSON. */
export class FileResponse {
  /** Large files are streams. A stream error aborts the download. */
  readonly file: { readonly filename: string; readonly contentType: string; readonly content: Buffer | Readable };

  constructor(file: FileResponse["file"]) {
    this.file = file;
  }
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
      // HEAD must not run the handlers of GET calls that change data (create-trial).
      exposeHeadRoute: route.method === "GET" && !route.operation.startsWith("Mutation."),
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
          body: (route.body ? check(route.body, request.body ?? {}) : undefined) as never,
          params: request.params as Record<string, string>,
          query: (route.query ? check(route.query, request.query) : request.query) as never,
          upload: (request.body ?? Readable.from([])) as Readable,
          contentType: request.headers["content-type"] ?? "",
        };
        const result = await runUnlessAnswered(request, () => route.handler(call));
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
    // Sends an error without waiting for the rest of the body.
    scope.addHook("onError", async (request, reply, error) => discardUnreadBody(request, reply, { error, maxBytes }));
    serve(scope);
  });
}

type DoneParsing = (error: null, body: Readable) => void;

function sendFile(reply: FastifyReply, status: number, file: FileResponse["file"]): FastifyReply {
  return reply
    .code(status)
    .type(file.contentType)
    .header("content-disposition", `attachment; filename="${file.filename}"`)
    .send(file.content);
}
