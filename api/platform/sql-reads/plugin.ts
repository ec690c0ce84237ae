import type { ApolloServerPlugin } from "@apollo/server";
import type { DocumentNode, GraphQLFormattedError, OperationDefinitionNode } from "graphql";
import type { Context } from "#api/platform/context.ts";
import { AppError, toAppError } from "#api/platform/errors.ts";
import { type CompiledRead, compileRead, type CompilerParts } from "./compile.ts";

/**
 * JSON as the database wrote it. Stands in an answer where data stands and reaches the client as it is: parsing it, to
 * write the same text again, would cost more than the rest of the request.
 */
class JsonText {
  constructor(readonly text: string) {}

  /** For whoever does treat it as data. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Apollo's `stringifyResult` for answers whose data may be a {@link JsonText}; ends with a newline as Apollo's own. */
export function stringifyAnswer(answer: { data?: unknown; errors?: unknown; extensions?: unknown }): string {
  const { data, errors, extensions } = answer;
  if (!(data instanceof JsonText) || errors !== undefined) return `${JSON.stringify(answer)}\n`;
  const beside = extensions === undefined ? "" : `,"extensions":${JSON.stringify(extensions)}`;
  return `{"data":${data.text}${beside}}\n`;
}

/** Statements that connections keep prepared; others are planned each time. */
const MOST_PREPARED = 200;
/** A statement is worth preparing when it comes back. */
const USES_BEFORE_PREPARED = 3;
const MOST_COUNTED = 5_000;
/** Ways of asking with one operation whose statements are remembered, and the characters of their variables. */
const MOST_WAYS = 50;
const LONGEST_REMEMBERED = 500;

/**
 * Answers admins' queries that SQL can answer whole with one statement, whose text goes to the client as it is
 * (decision 0037). What it cannot read, or what would be refused, it leaves to the resolvers, whose answer is the same.
 */
export function sqlReads(
  parts: CompilerParts,
  formatError: (error: unknown) => GraphQLFormattedError,
): ApolloServerPlugin<Context> {
  // Apollo keeps documents by their text, so that the same one comes again.
  const leftToResolvers = new WeakSet<DocumentNode>();
  const nameOf = createNames();
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
              // Values may decide too; those documents are asked again.
              if (operation.variableDefinitions?.length === 0) leftToResolvers.add(document);
              return null;
            }
            const name = read.keepsPlan ? nameOf(read.text) : undefined;
            const { text, values } = read;
            const { rows } = await context.pool.query<{ data: string }>(
              name ? { name, text, values } : { text, values },
            );
            const data = rows[0]?.data;
            return data === undefined ? null : answerOf(new JsonText(data));
          } catch (error) {
            // Without a database the resolvers would only wait once more.
            if (toAppError(error).code === "UNAVAILABLE") return { ...answerOf(null, [formatError(error)]) };
            if (!(error instanceof AppError))
              context.log.warn({ err: error }, "a read in SQL failed; resolvers take over");
            return null;
          }
        },
      };
    },
  };
}

function answerOf(data: JsonText | null, errors?: GraphQLFormattedError[]) {
  return {
    http: { status: undefined as number | undefined, headers: new Map() as never },
    body: { kind: "single" as const, singleResult: { data: data as never, ...(errors ? { errors } : {}) } },
  };
}

/** {@link compileRead}, remembering what is always the same. */
function createCompiled(parts: CompilerParts) {
  const known = new WeakMap<
    OperationDefinitionNode,
    Map<string, { readonly read: CompiledRead; readonly at: number }>
  >();
  return (asked: Parameters<typeof compileRead>[1], context: Context): CompiledRead | null => {
    let ways = known.get(asked.operation);
    if (!ways) known.set(asked.operation, (ways = new Map()));
    const way = JSON.stringify(asked.variables);
    const before = ways.get(way);
    const at = context.clock.now().getTime();
    if (before && Math.abs(at - before.at) <= before.read.lastsMs) return before.read;
    ways.delete(way);
    const read = compileRead(parts, asked, context);
    if (!read || read.lastsMs === 0 || way.length > LONGEST_REMEMBERED) return read;
    const [oldest] = ways.keys();
    if (oldest !== undefined && ways.size >= MOST_WAYS) ways.delete(oldest);
    ways.set(way, { read, at });
    return read;
  };
}

/** Gives a statement that is used again and again a name, under which connections keep it prepared. */
function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  let uses = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known || names.size >= MOST_PREPARED) return known;
    const times = (uses.get(text) ?? 0) + 1;
    if (uses.size >= MOST_COUNTED) uses = new Map();
    uses.set(text, times);
    if (times < USES_BEFORE_PREPARED) return undefined;
    const name = `read-${names.size + 1}`;
    names.set(text, name);
    uses.delete(text);
    return name;
  };
}
