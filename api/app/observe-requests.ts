import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { requestDuration, graphqlDuration } from "#api/platform/observe/metrics.ts";
import {
  getTraceId,
  parseTraceparent,
  runInTrace,
  startTrace,
  type Trace,
  enterSpan,
} from "#api/platform/observe/tracing.ts";
import type { ApolloServerPlugin } from "@apollo/server";
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { knownOperations } from "./graphql-operations.ts";
import type { Context } from "#api/platform/context.ts";
import { type Fragments, getFragments } from "#api/platform/graphql/collect-fields.ts";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: Trace | null;
  }
}

/** Matches request IDs that are accepted from clients and proxies. They are stored in audit entries and logged. */
const REQUEST_ID = /^[\w.:@=+/-]{8,128}$/;

/** Probes, which would fill the log. */
const probes = /^\/health\//i;

/** Returns the request's ID: the header `x-request-id` if it is valid, otherwise a new UUID. */
export function createRequestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Returns the route's pattern, because URLs can contain handles, tokens and emails. */
function getRoute({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? "unknown";
}

/**
 * Measures, traces and logs every request. The response has the request's `x-request-id` and `traceparent`. The log
 * contains the route's pattern and never a URL, header, address or body.
 */
export function observeRequests(app: FastifyInstance): void {
  app.decorateRequest("trace", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers } = request;
    const attributes = { "http.request.method": method, "http.route": getRoute(request), "request.id": request.id };
    const parent = parseTraceparent(headers["traceparent"]);
    request.trace = startTrace(`${method} ${getRoute(request)}`, "server", attributes, parent);
    runInTrace(request.trace, done);
  });
  // Node calls the hooks after the body from outside the trace.
  app.addHook("preValidation", (request, _reply, done) => runInTrace(request.trace, done));
  app.addHook("onSend", (request, reply, _payload, done) => {
    reply.header("x-request-id", request.id);
    const traceparent = request.trace?.span?.traceparent ?? parseTraceparent(request.headers["traceparent"]);
    if (traceparent) reply.header("traceparent", traceparent);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const [method, route, status] = [request.method, getRoute(request), reply.statusCode];
    requestDuration.observe({ method, route, status: String(status) }, reply.elapsedTime / 1_000);
    const span = request.trace?.span;
    span?.set({ "http.response.status_code": status });
    span?.end(status >= 500 ? { code: String(status) } : undefined);
    const traceparent = span?.traceparent ?? parseTraceparent(request.headers["traceparent"]);
    const line = {
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      requestId: request.id,
      ...(traceparent ? { traceId: getTraceId(traceparent) } : {}),
    };
    request.log[probes.test(request.url) ? "debug" : "info"](line, "request");
    done();
  });
}

/** Name of all operations that aren't the portal's own, because clients choose any number of names. */
const OTHER = "other";

const failures = new Set(["INTERNAL", "UNAVAILABLE"]);

/** Creates the plugin that measures and traces GraphQL operations. */
export function createObservationPlugin(): ApolloServerPlugin<Context> {
  const names = new Set([...knownOperations.values()].map(readName));
  return {
    async requestDidStart() {
      const startedAt = performance.now();
      let operation = OTHER;
      let endSpan: ReturnType<typeof enterSpan> | undefined;
      return {
        async didResolveOperation({ operationName, operation: definition }) {
          const type = definition?.operation ?? "query";
          operation = operationName && names.has(operationName) ? operationName : OTHER;
          endSpan = enterSpan(`${type} ${operation}`, {
            "graphql.operation.type": type,
            "graphql.operation.name": operation,
          });
        },
        async willSendResponse({ response }) {
          const errors = response.body.kind === "single" ? (response.body.singleResult.errors ?? []) : [];
          const failed = errors.find(({ extensions }) => failures.has(String(extensions?.code)));
          const outcome = failed ? "failed" : errors.length > 0 ? "refused" : "ok";
          graphqlDuration.observe({ operation, outcome }, (performance.now() - startedAt) / 1_000);
          endSpan?.(failed ? { code: failed.extensions?.code } : undefined);
        },
      };
    },
  };
}

function readName(text: string): string {
  return /\b(?:query|mutation)\s+(\w+)/.exec(text)?.[1] ?? OTHER;
}

/** Longest name of an operation in an event, in characters. A document may have any number of root fields. */
const LONGEST_OPERATION = 200;

/**
 * Records a security event if a request was refused because of the caller's permissions, or needs a proof of identity.
 * @param operation the route, or the path of the GraphQL field
 */
export function reportRefusal(
  context: Context,
  { code, reason }: { readonly code?: unknown; readonly reason?: unknown },
  operation: string,
): void {
  const name = operation.slice(0, LONGEST_OPERATION) || "unknown";
  const userId = context.actor?.viewerId ?? context.actor?.userId ?? null;
  if (code === "STEP_UP_REQUIRED")
    reportSecurityEvent(context, { type: "step-up.required", userId, detail: { operation: name } });
  else if (code === "FORBIDDEN")
    reportSecurityEvent(context, {
      type: "permission.refused",
      userId,
      detail: { operation: name, reason: typeof reason === "string" ? reason : "ROLE" },
    });
}

/** Creates the plugin that reports the first refused field of each GraphQL operation. */
export function createRefusalPlugin(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response, contextValue, document, operation }) {
          if (response.body.kind !== "single" || !document || !operation) return;
          const refused = response.body.singleResult.errors?.find(({ extensions }) =>
            ["FORBIDDEN", "STEP_UP_REQUIRED"].includes(String(extensions?.code)),
          );
          if (!refused) return;
          reportRefusal(contextValue, refused.extensions ?? {}, `GraphQL ${nameFields(refused, document, operation)}`);
        },
      };
    },
  };
}

/**
 * Names the fields on the path of an error, or all root fields if it has none, as for a token without the scope. A path has
 * response keys, which may be aliases that the client made up.
 */
function nameFields(
  { path }: GraphQLFormattedError,
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): string {
  const fragments = getFragments(document);
  let fields = listFields(selectionSet, fragments);
  if (!path) return fields.map(({ name }) => name.value).join(", ");
  const names: string[] = [];
  for (const key of path) {
    if (typeof key === "number") continue;
    const selected = fields.filter(({ alias, name }) => (alias ?? name).value === key);
    names.push(selected[0]?.name.value ?? key);
    fields = selected.flatMap((field) => listFields(field.selectionSet, fragments));
  }
  return names.join(".");
}

/** Returns the fields that a selection names itself and through fragments. */
function listFields(selected: SelectionSetNode | undefined, fragments: Fragments): FieldNode[] {
  return (selected?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node];
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    return listFields(inner?.selectionSet, fragments);
  });
}
