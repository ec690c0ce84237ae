import type { Readable } from "node:stream";
import { type Static, type TSchema, Type, type TProperties } from "typebox";
import type { AnyObjectSchema, InferType } from "yup";
import type { Context } from "#api/platform/context.ts";
import type { ErrorCode } from "#schema/error-codes.ts";
import type { Permission } from "#api/platform/graphql/permissions.ts";
import type { RateLimitName } from "#api/platform/limits/rate-limits.ts";
import { type CatalogueEntry, formatLegend } from "#schema/closed-list.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Context of the request, set once the caller has been authenticated, by `serveRoutes` or the GraphQL server. */
    context: Context;
  }
}

/** Response of calls that return no data. */
const done = Type.Literal(true, { description: "Done." });

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Names of the parameters in the path `Url`. */
type ParamName<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<Rest>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parts of a request that a handler receives. */
export interface RouteCall<Body, Query = Readonly<Record<string, unknown>>, Url extends string = string> {
  readonly context: Context;
  readonly body: Body;
  readonly params: Readonly<Record<ParamName<Url>, string>>;
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
  /** Alternative to a deprecated call, as a sentence. */
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
  /** Whether each call is recorded as an export, so that HEAD must not run it. */
  readonly isExport: boolean;
  readonly handler: (call: never) => unknown;
}

/** A deprecated call (docs/versioning.md). */
interface Deprecation {
  /** Day from which the call is deprecated, `YYYY-MM-DD`. */
  readonly since: string;
  /** Alternative to the call, as a sentence. */
  readonly instead: string;
  /** First day on which the call no longer works, `YYYY-MM-DD`. Undefined if no day has been set. */
  readonly sunset?: string;
}

/** Returns the headers of a deprecated call: `Deprecation` (RFC 9745, Unix time in seconds), `Sunset` (RFC 8594) and `Link`. */
const getDeprecationHeaders = ({ since, sunset }: Deprecation) => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  link: '</v1/docs>; rel="deprecation"; type="text/html"',
  ...(sunset ? { sunset: new Date(sunset).toUTCString() } : {}),
});

/** Properties of a route that its declaration may leave out. */
type Optional =
  | ("allow" | "params" | "upload" | "status" | "headers" | "responseHeaders" | "bodyExample" | "example")
  | ("otherResponses" | "errors" | "fileTypes" | "fileExample" | "isExport");

/** What a call of `/v1` declares besides its method, its URL and its tag. */
type Declaration<
  Call extends string,
  Rules extends AnyObjectSchema | undefined,
  QueryRules extends AnyObjectSchema | undefined,
  Shape extends TSchema,
> = Pick<Route, "summary"> &
  Partial<Pick<Route, Optional>> & {
    /** GraphQL operation with the same function, whose permission the call takes. Otherwise `allow` states one. */
    operation?: `${"Query" | "Mutation"}.${string}`;
    body?: Rules;
    query?: QueryRules;
    deprecated?: Deprecation;
    /** Schema of the response. By default `true`, which the handler doesn't have to return. */
    response?: Shape;
    handler: (
      call: RouteCall<
        Rules extends AnyObjectSchema ? InferType<Rules> : undefined,
        QueryRules extends AnyObjectSchema ? InferType<QueryRules> : Readonly<Record<string, unknown>>,
        Call
      >,
    ) => Handled<Shape> | Promise<Handled<Shape>>;
  };

/**
 * Returns the function that declares the calls of `/v1` with a tag, such as `GET /v1/plans`, next to the resolver of their
 * operation (decision 0265). The rules `body` and `query` validate the request before the handler runs. The type of
 * `response` determines the handler's return type. Outside production, each response is also validated against it.
 */
export const routesOf =
  (tag: string) =>
  <
    const Call extends `${Method} ${string}`,
    Rules extends AnyObjectSchema | undefined = undefined,
    QueryRules extends AnyObjectSchema | undefined = undefined,
    Shape extends TSchema = typeof done,
  >(
    call: Call,
    route: Declaration<Call, Rules, QueryRules, Shape>,
  ): Route => {
    const { deprecated } = route;
    const [method, url] = call.split(" ") as [Method, string];
    return {
      status: 200,
      responseHeaders: {},
      params: {},
      bodyExample: undefined,
      otherResponses: {},
      errors: [],
      fileTypes: [],
      fileExample: undefined,
      isExport: false,
      allow: undefined,
      upload: undefined,
      ...route,
      method,
      url,
      tag,
      operation: route.operation ?? call,
      headers: { ...route.headers, ...(deprecated && getDeprecationHeaders(deprecated)) },
      deprecated: deprecated?.instead,
      response: route.fileTypes?.length ? undefined : (route.response ?? done),
      example: route.response ? route.example : true,
      body: route.body,
      query: route.query,
    };
  };

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

// Response types of `/v1` as JSON Schema with TypeScript types.

export const id = Type.String({ format: "uuid" });
/** A time in ISO 8601, UTC, with milliseconds. */
export const moment = Type.String({ format: "date-time", description: "ISO 8601, UTC" });
export const text = Type.String();
export const cents = Type.Integer({ description: "Cents" });
export const count = Type.Integer({ minimum: 0 });
export const flag = Type.Boolean();

export const describedText = (description: string) => Type.String({ description });

/** Creates a named object type, which the document defines once. Names must be unique. */
export const namedObject = <Properties extends TProperties>(name: string, properties: Properties) =>
  Type.Object(properties, { title: name });

/** Creates an integer type for a list in the catalogue, with the list's labels as its description. */
export const catalogueNumber = (list: readonly CatalogueEntry[]) =>
  Type.Integer({ enum: list.map(({ value }) => value), description: formatLegend(list) });
