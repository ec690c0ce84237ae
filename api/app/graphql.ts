import { ApolloServer, type ApolloServerPlugin, HeaderMap } from "@apollo/server";
import { ApolloServerPluginDrainHttpServer } from "@apollo/server/plugin/drainHttpServer";
import {
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from "graphql";
import { type ErrorCode, type ErrorReason, messageOfErrorCode, statusOfErrorCode } from "#schema/error-codes.ts";
import { serveSchema } from "./graphql-schema.ts";
import { createOperationStores, rejectUnknownOperation } from "./graphql-operations.ts";
import { acceptGraphqlUploads, buildExtensions, toUploadError } from "./graphql-uploads.ts";
import { createObservationPlugin, createRefusalPlugin } from "./observe-requests.ts";
import { permissions } from "./permissions.ts";
import type { Context, Services } from "#api/platform/context.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { createReservedPoints } from "#api/platform/limits/reserved-points.ts";
import { toAppError } from "#api/platform/errors.ts";
import { logFailure } from "#api/platform/observe/log.ts";
import { createCostPlugin, createDocumentLimits, graphqlLimits } from "#api/platform/graphql/graphql-limits.ts";
import { createColumnReads } from "#api/platform/graphql/sql-reads/columns.ts";
import { createSqlReadsPlugin, stringifyResponse } from "#api/platform/graphql/sql-reads/plugin.ts";
import { createScopePlugin } from "./graphql-scopes.ts";
import { deviceSqlReads, licenceSqlReads, licenceEventSqlReads } from "#api/licensing/licences/licence.sql.ts";
import { userSqlReads } from "#api/staff/users/user.sql.ts";
import type { SqlReads } from "#api/platform/graphql/sql-reads/read-context.ts";

/**
 * Fields that SQL can read in addition to plain columns. Not every field has to be listed: the resolvers serve operations
 * with other fields.
 */
export const combinedSqlReads: SqlReads = {
  ...userSqlReads,
  ...licenceSqlReads,
  ...licenceEventSqlReads,
  ...deviceSqlReads,
};

// Errors that concern the whole request, the worst last. They set its HTTP status. Responses with others have status 200.
const requestFaults = ["BAD_USER_INPUT", "PAYLOAD_TOO_LARGE", "RATE_LIMITED", "UNAVAILABLE", "INTERNAL"] as const;

/** Apollo's own error code, which is also used as the reason. */
const HASH_UNKNOWN: ErrorReason = "PERSISTED_QUERY_NOT_FOUND";

// Limits on the errors reported for one document.
const MAX_ERRORS = 20;
const MAX_LOCATIONS = 5;
const MAX_MESSAGE_CHARACTERS = 300;

/** Serves `/graphql` on the app, and the schema definition at `/schema.graphql`. */
export async function serveGraphql(
  app: FastifyInstance,
  services: Services,
  contextOf: (request: FastifyRequest) => Promise<Context>,
  schema: GraphQLSchema,
): Promise<void> {
  const limits = createDocumentLimits();
  const takePoints = createPointsTaker(services);
  const reads = { ...createColumnReads(services.orm, schema), ...combinedSqlReads };
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    ...createOperationStores(),
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: graphqlLimits.tokens },
    validationRules: limits.validationRules ?? [],
    validationOptions: { maxErrors: MAX_ERRORS },
    plugins: [
      // Only subgraphs use it, and loading it needs a package that the image leaves out.
      ApolloServerPluginInlineTraceDisabled(),
      createObservationPlugin(),
      ...((limits.plugins ?? []) as ApolloServerPlugin<Context>[]),
      createCostPlugin(schema, services.config.production, takePoints),
      createScopePlugin(schema),
      createSqlReadsPlugin({ schema, permissions, reads }, (error) =>
        formatGraphqlError({ message: "" }, error, services),
      ),
      createStatusPlugin(),
      createRefusalPlugin(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginDrainHttpServer({ httpServer: app.server }),
    ],
    stringifyResult: stringifyResponse,
    formatError: (formatted, error) => formatGraphqlError(formatted, error, services),
  });
  serveSchema(app, schema);
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());
  const handler = fastifyApolloHandler(apollo, {
    context: async (request) => {
      try {
        // An upload already has its context: it was authorised before its body was read.
        const fastifyRequest = request as unknown as FastifyRequest;
        const context = fastifyRequest.context ?? (await contextOf(fastifyRequest));
        rejectUnknownOperation(services.config.graphqlOperations, readQueryText(fastifyRequest), context.actor);
        // More points are taken once the cost of the operation is known.
        await takePoints(context, 1);
        return context;
      } catch (error) {
        // Errors thrown here don't reach the plugins, so they have to include their status and headers.
        const known = toAppError(error);
        const headers = new HeaderMap();
        if (known.retryAfterSeconds) headers.set("retry-after", String(known.retryAfterSeconds));
        const http = { status: known.status, headers };
        throw new GraphQLError(known.message, { originalError: known, extensions: { http } });
      }
    },
  });
  await app.register(async (routes) => {
    acceptGraphqlUploads(routes, contextOf);
    const run = handler as unknown as (request: FastifyRequest, reply: FastifyReply) => unknown;
    routes.route({ method: ["GET", "POST"], url: "/graphql", handler: (request, reply) => run(asGet(request), reply) });
  });
}

/** Returns a HEAD request as GET, because Apollo doesn't know HEAD. Fastify removes the body of the response. */
function asGet(request: FastifyRequest): FastifyRequest {
  return request.method === "HEAD" ? (Object.create(request, { method: { value: "GET" } }) as FastifyRequest) : request;
}

/** Points that a process reserves for an IP address at a time. */
const POINTS_PER_RESERVE = 100;

/**
 * Creates a function that takes rate limit points for a request: from its user and from its IP address, so that many
 * accounts can't multiply the limit. Personal access tokens have a separate limit, so a user's programs can't lock the
 * user out of the portal. The function throws AppError RATE_LIMITED.
 */
function createPointsTaker(
  services: Pick<Services, "rateLimits">,
): (context: Context, points: number) => Promise<void> {
  const takeFromAddress = createReservedPoints(services, "graphqlByAddress", POINTS_PER_RESERVE);
  return async ({ actor, origin }, points) => {
    const address = toRateLimitAddress(origin.ip);
    const { rateLimits } = services;
    if (!actor) return void (await rateLimits.take("graphql", address, points));
    await takeFromAddress(address, points);
    if (actor.token) await rateLimits.take("personalAccessToken", actor.userId, points);
    else await rateLimits.take("graphql", actor.viewerId ?? actor.userId, points);
  };
}

/** Returns the operation's text from where Apollo will read it. */
function readQueryText({ body, method, url }: FastifyRequest): unknown {
  if (method === "GET") return new URL(url, "http://localhost").searchParams.get("query");
  return (body as { query?: unknown } | null | undefined)?.query;
}

/** Converts any error to one of the documented error codes. Unexpected errors are logged and reported as INTERNAL. */
function formatGraphqlError(
  formatted: GraphQLFormattedError,
  error: unknown,
  services: Services,
): GraphQLFormattedError {
  const code = formatted.extensions?.code;
  const original = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  const place = {
    ...(formatted.locations ? { locations: formatted.locations.slice(0, MAX_LOCATIONS) } : {}),
    ...(formatted.path ? { path: formatted.path } : {}),
  };
  // The document itself was rejected because of its syntax, its variables or a limit, or because it failed validation.
  if (original instanceof GraphQLError && (typeof code !== "string" || isDocumentFault(code) || isBadRequest(original)))
    return {
      // Clients that register texts by hash stop trying after this message.
      message: code === HASH_UNKNOWN ? "PersistedQueryNotSupported" : shortenMessage(formatted.message),
      ...place,
      // The portal then sends the operation again with its text (decision 0052).
      extensions: { code: "BAD_USER_INPUT", ...(code === HASH_UNKNOWN ? { reason: HASH_UNKNOWN } : {}) },
    };
  const known = toAppError(toUploadError(original));
  if (known.status >= 500) logFailure(services.log, original, "graphql operation failed");
  return {
    message: known.code === "INTERNAL" ? messageOfErrorCode.INTERNAL : known.message,
    ...place,
    extensions: buildExtensions(known),
  };
}

/** Removes suggestions of similar names from a message and shortens long quotations from the document. */
function shortenMessage(message: string): string {
  const text = message.replace(/ ?Did you mean .*$/s, "");
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text;
}

/** Returns whether Apollo rejected the request with a status but no code, for example when hash and text don't match. */
function isBadRequest({ extensions }: GraphQLError): boolean {
  return (extensions.http as { status?: number } | undefined)?.status === 400;
}

function isDocumentFault(code: string): boolean {
  return (
    code === "BAD_USER_INPUT" ||
    code === "BAD_REQUEST" ||
    code.startsWith("GRAPHQL_") ||
    code.startsWith("PERSISTED_QUERY") ||
    code === "OPERATION_RESOLUTION_FAILURE"
  );
}

function createStatusPlugin(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response }) {
          if (response.body.kind !== "single") return;
          const errors = response.body.singleResult.errors ?? [];
          const codes = errors.map((error) => error.extensions?.code as ErrorCode);
          const worst = requestFaults.findLast((code) => codes.includes(code));
          if (worst) response.http.status = statusOfErrorCode[worst];
          response.http.headers ??= new HeaderMap();
          response.http.headers.set("cache-control", "no-store");
          const waits = errors.map(({ extensions }) => Number(extensions?.retryAfterSeconds ?? 0));
          if (Math.max(...waits) > 0) response.http.headers.set("retry-after", String(Math.max(...waits)));
        },
      };
    },
  };
}
