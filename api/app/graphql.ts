import { ApolloServer, type ApolloServerPlugin, HeaderMap } from "@apollo/server";
import { ApolloServerPluginDrainHttpServer } from "@apollo/server/plugin/drainHttpServer";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from "graphql";
import { type ErrorCode, errorCodes, type ErrorReason, sentenceOfErrorCode } from "#schema/error-codes.ts";
import { serveSchemaText } from "./graphql-schema.ts";
import { operationStores, refuseUnknown } from "./graphql-operations.ts";
import { acceptGraphqlUploads, toUploadRefusal } from "./graphql-uploads.ts";
import { permissions } from "./permissions.ts";
import type { Context, Services } from "#api/platform/context.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { toAppError } from "#api/platform/errors.ts";
import { documentLimits, graphqlLimits, operationLimits } from "#api/platform/graphql-limits.ts";
import { tellCost } from "#api/platform/query-cost.ts";
import { columnReads } from "#api/platform/sql-reads/columns.ts";
import { sqlReads, stringifyAnswer } from "#api/platform/sql-reads/plugin.ts";
import { scopedOperations } from "./graphql-scopes.ts";
import { deviceSqlReads, licenceSqlReads } from "#api/licensing/licences/licence.sql.ts";
import { licenceEventSqlReads } from "#api/licensing/licences/licence-event.sql.ts";
import { userSqlReads } from "#api/staff/users/user.sql.ts";
import type { SqlReads } from "#api/platform/sql-reads/reading.ts";

/**
 * What SQL can read beside plain columns. A field that is missing here is no fault: an operation that asks for it is
 * answered by the resolvers.
 */
export const sqlReadsOfNouns: SqlReads = {
  ...userSqlReads,
  ...licenceSqlReads,
  ...licenceEventSqlReads,
  ...deviceSqlReads,
};

// A refusal of the input or a lost database says so in the status too; the rest stands beside data, with 200.
const statusOfCode: Partial<Record<ErrorCode, number>> = {
  BAD_USER_INPUT: 400,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** Apollo's own word, which is ours too. */
const HASH_UNKNOWN: ErrorReason = "PERSISTED_QUERY_NOT_FOUND";

/** What a document may make us say of it: so many faults, so many places and characters each. */
const MOST_FAULTS = 20;
const MOST_PLACES = 5;
const LONGEST_SENTENCE = 300;

/** Serves `/graphql` on the app, and the schema definition at `/schema.graphql`. */
export async function serveGraphql(
  app: FastifyInstance,
  services: Services,
  contextOf: (request: FastifyRequest) => Promise<Context>,
  schema: GraphQLSchema,
): Promise<void> {
  const limits = documentLimits();
  const reads = { ...columnReads(services.orm, schema), ...sqlReadsOfNouns };
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    ...operationStores(),
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: graphqlLimits.tokens },
    validationRules: limits.validationRules ?? [],
    validationOptions: { maxErrors: MOST_FAULTS },
    plugins: [
      ...((limits.plugins ?? []) as ApolloServerPlugin<Context>[]),
      operationLimits(schema, services.config.production, takePoints),
      scopedOperations(schema),
      tellCost(),
      sqlReads({ schema, permissions, reads }, (error) => formatGraphqlError({ message: "" }, error, services)),
      statusFromCode(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginDrainHttpServer({ httpServer: app.server }),
    ],
    stringifyResult: stringifyAnswer,
    formatError: (formatted, error) => formatGraphqlError(formatted, error, services),
  });
  serveSchemaText(app, schema);
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());
  const handler = fastifyApolloHandler(apollo, {
    context: async (request) => {
      try {
        // One with files was let in before its body was read.
        const asked = request as unknown as FastifyRequest;
        const context = asked.context ?? (await contextOf(asked));
        refuseUnknown(services.config.graphqlOperations, textIn(asked), context.actor);
        // What the operation costs above this is taken once it is known.
        await takePoints(context, 1);
        return context;
      } catch (error) {
        // Thrown here, an error meets none of the plugins: it has to carry its status itself.
        const known = toAppError(error);
        throw new GraphQLError(known.message, { originalError: known, extensions: { http: { status: known.status } } });
      }
    },
  });
  await app.register(async (door) => {
    acceptGraphqlUploads(door, contextOf);
    door.route({ method: ["GET", "POST"], url: "/graphql", exposeHeadRoute: false, handler: handler as never });
  });
}

/**
 * Takes rate points for a request. Personal access tokens have a limit of their own, so that a user's programs can't lock
 * the user out of the portal.
 * @throws AppError RATE_LIMITED
 */
async function takePoints({ actor, origin, rateLimits }: Context, points: number): Promise<void> {
  if (actor?.token) await rateLimits.take("personalAccessToken", actor.userId, points);
  else await rateLimits.take("graphql", actor?.viewerId ?? actor?.userId ?? limitedAddress(origin.ip), points);
}

/** The operation's text where Apollo will read it. */
function textIn({ body, method, url }: FastifyRequest): unknown {
  if (method === "GET") return new URL(url, "http://localhost").searchParams.get("query");
  return (body as { query?: unknown } | null | undefined)?.query;
}

/** Any error as one of the closed list; what is not ours is logged and shown as INTERNAL. */
function formatGraphqlError(
  formatted: GraphQLFormattedError,
  error: unknown,
  services: Services,
): GraphQLFormattedError {
  const code = formatted.extensions?.code;
  const original = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  const place = {
    ...(formatted.locations ? { locations: formatted.locations.slice(0, MOST_PLACES) } : {}),
    ...(formatted.path ? { path: formatted.path } : {}),
  };
  // The document itself was refused: parser, validation, variables, limits.
  if (original instanceof GraphQLError && (typeof code !== "string" || isDocumentFault(code) || isRefused(original)))
    return {
      message: tidied(formatted.message),
      ...place,
      // The portal sends the text then (decision 0052).
      extensions: { code: "BAD_USER_INPUT", ...(code === HASH_UNKNOWN ? { reason: HASH_UNKNOWN } : {}) },
    };
  const known = toAppError(toUploadRefusal(original));
  if (known.status >= 500) services.log.error({ err: original ?? null }, "graphql operation failed");
  return {
    message: known.code === "INTERNAL" ? sentenceOfErrorCode.INTERNAL : known.message,
    ...place,
    extensions: {
      code: known.code,
      ...(known.fields ? { fields: known.fields } : {}),
      ...(known.reason ? { reason: known.reason } : {}),
      ...(known.retryAfterSeconds ? { retryAfterSeconds: known.retryAfterSeconds } : {}),
    },
  };
}

/** A sentence without what the schema has that is called nearly so, and with no more of the document than tells what is meant. */
function tidied(sentence: string): string {
  const told = sentence.replace(/ ?Did you mean .*$/s, "");
  return told.length > LONGEST_SENTENCE ? `${told.slice(0, LONGEST_SENTENCE)}…` : told;
}

/** Apollo gives some of its refusals a status and no code, such as that of a hash that is not the text's. */
function isRefused({ extensions }: GraphQLError): boolean {
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

function statusFromCode(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response }) {
          if (response.body.kind !== "single") return;
          const codes = (response.body.singleResult.errors ?? []).map((error) => error.extensions?.code as ErrorCode);
          const worst = [...errorCodes].reverse().find((code) => codes.includes(code) && statusOfCode[code]);
          if (worst) response.http.status = statusOfCode[worst] ?? 200;
          response.http.headers ??= new HeaderMap();
          response.http.headers.set("cache-control", "no-store");
        },
      };
    },
  };
}
