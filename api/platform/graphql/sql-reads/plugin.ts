import type { ApolloServerPlugin } from "@apollo/server";
import type { DocumentNode, GraphQLFormattedError, OperationDefinitionNode } from "graphql";
import type { Context } from "#api/platform/context.ts";
import { isOwner } from "#api/platform/graphql/staff-role.ts";
import { AppError, toAppError } from "#api/platform/errors.ts";
import { type CompiledRead, compileRead, type CompilerParts } from "./compile.ts";

/**
 * JSON text from the database. It takes the place of `data` in a response and is sent unchanged, because parsing and
 * serialising it again would take longer than the rest of the request.
 */
class JsonText {
  constructor(readonly text: string) {}

  /** Parses the JSON, for code that reads it as data. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Serialises a response whose data may be a {@link JsonText}, for Apollo's `stringifyResult`. Ends with a newline. */
export function stringifyResponse(answer: { data?: unknown; errors?: unknown; extensions?: unknown }): string {
  const { data, errors, extensions } = answer;
  if (!(data instanceof JsonText) || errors !== undefined) return `${JSON.stringify(answer)}\n`;
  const rest = extensions === undefined ? "" : `,"extensions":${JSON.stringify(extensions)}`;
  return `{"data":${data.text}${rest}}\n`;
}

/** Maximum number of prepared statements. Other statements are planned each time. */
const MAX_PREPARED = 200;
/** Number of uses after which a statement is prepared. */
const USES_BEFORE_PREPARED = 3;
const MAX_COUNTED = 5_000;
/** Maximum number of cached statements for each operation, and maximum length of their variables in characters. */
const MAX_CACHED = 50;
const MAX_CACHED_CHARACTERS = 500;

/**
 * Creates a plugin that runs an admin's query as one SQL statement if possible, and sends the JSON text from the database
 * to the client (decision 0037). Resolvers handle all other queries, including those that fail. Results are identical.
 */
export function createSqlReadsPlugin(
  parts: CompilerParts,
  formatError: (error: unknown) => GraphQLFormattedError,
): ApolloServerPlugin<Context> {
  // Apollo caches parsed documents by their text, so a repeated operation has the same object.
  const leftToResolvers = new WeakSet<DocumentNode>();
  const getName = createNames();
  const compiled = createCompiled(parts);
  return {
    async requestDidStart() {
      return {
        async responseForOperation({ document, operation, request, contextValue: context }) {
          if (context.actor?.role !== "admin" || context.actor.mustSetUpTwoStep || leftToResolvers.has(document))
            return null;
          try {
            const variables = request.variables ?? {};
            const read = compiled({ document, operation, variables }, context);
            if (!read) {
              // A document with variables may be readable in SQL next time, and owners may read more than others.
              if (operation.variableDefinitions?.length === 0 && isOwner(context.actor)) leftToResolvers.add(document);
              return null;
            }
            const name = read.keepsPlan ? getName(read.text) : undefined;
            const { text, values } = read;
            const { rows } = await context.pool.query<{ data: string }>(
              name ? { name, text, values } : { text, values },
            );
            const data = rows[0]?.data;
            return data === undefined ? null : createResponse(new JsonText(data));
          } catch (error) {
            // Without a database, the resolvers would also fail.
            if (toAppError(error).code === "UNAVAILABLE") return { ...createResponse(null, [formatError(error)]) };
            if (!(error instanceof AppError))
              context.log.warn({ err: error }, "an SQL read failed; falling back to resolvers");
            return null;
          }
        },
      };
    },
  };
}

function createResponse(data: JsonText | null, errors?: GraphQLFormattedError[]) {
  return {
    http: { status: undefined as number | undefined, headers: new Map() as never },
    body: { kind: "single" as const, singleResult: { data: data as never, ...(errors ? { errors } : {}) } },
  };
}

/** Creates a version of {@link compileRead} with a cache. */
function createCompiled(parts: CompilerParts) {
  const cache = new WeakMap<
    OperationDefinitionNode,
    Map<string, { readonly read: CompiledRead; readonly at: number }>
  >();
  return (request: Parameters<typeof compileRead>[1], context: Context): CompiledRead | null => {
    let reads = cache.get(request.operation);
    if (!reads) cache.set(request.operation, (reads = new Map()));
    // Roles decide which fields can be read.
    const key = JSON.stringify([context.actor?.staffRoles ?? [], request.variables]);
    const cached = reads.get(key);
    const at = context.clock.now().getTime();
    if (cached && Math.abs(at - cached.at) <= cached.read.lastsMs) return cached.read;
    reads.delete(key);
    const read = compileRead(parts, request, context);
    if (!read || read.lastsMs === 0 || key.length > MAX_CACHED_CHARACTERS) return read;
    const [oldest] = reads.keys();
    if (oldest !== undefined && reads.size >= MAX_CACHED) reads.delete(oldest);
    reads.set(key, { read, at });
    return read;
  };
}

/** Creates a function that names frequently used statements, so that connections keep them prepared. */
function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  let uses = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known || names.size >= MAX_PREPARED) return known;
    const times = (uses.get(text) ?? 0) + 1;
    if (uses.size >= MAX_COUNTED) uses = new Map();
    uses.set(text, times);
    if (times < USES_BEFORE_PREPARED) return undefined;
    const name = `read-${names.size + 1}`;
    names.set(text, name);
    uses.delete(text);
    return name;
  };
}
