import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";
import type { Actor, Context } from "#api/platform/context.ts";
import { includesRole } from "#api/platform/graphql/audience.ts";
import { collectFields, type Fragments, getFragments } from "#api/platform/graphql/collect-fields.ts";
import type { Permission, PermissionTable, TypePermission } from "#api/platform/graphql/permissions.ts";
import { hasAnyRole } from "#api/platform/graphql/staff-role.ts";
import type { SqlRead, SqlReadContext, SqlReads, SqlStatement } from "./read-context.ts";

// This file writes the `select` of each level of a query. The expressions in it, one for each field, come from `columns.ts`
// and from `<noun>.sql.ts`. For example, `{ user(id: "7f…") { id contacts { email } } }` becomes:
//
//   select row_to_json("x:")::text as data from (
//     select (select row_to_json("r:3") from (
//       select "r:0"."id" as "id",
//              (select coalesce(json_agg("r:2"), '[]'::json) from (
//                select "r:1"."email" as "email" from contacts "r:1" where "r:1".user_id = "r:0".id order by …) "r:2") as "contacts"
//         from users "r:0" where "r:0".id = $1::uuid) "r:3") as "user"
//     offset 0) "x:" where "x:"."user" is not null

/** Maximum length of a name in PostgreSQL, which truncates longer ones. */
const MAX_NAME_LENGTH = 63;
const RECENT_MS = 60_000;

/** Inputs of the compiler that don't depend on the operation. */
export interface CompilerParts {
  readonly schema: GraphQLSchema;
  readonly permissions: PermissionTable;
  readonly reads: SqlReads;
}

/** An operation as one SQL statement. It returns one row with `data`, or none if the resolvers must report an error. */
export interface CompiledRead {
  readonly text: string;
  readonly values: unknown[];
  /** False if PostgreSQL should plan the statement for its values. */
  readonly keepsPlan: boolean;
  /** Time for which the statement can be reused for the same operation and variables, in milliseconds. */
  readonly lastsMs: number;
}

/** SQL reads of single fields, which take precedence over those of the schema. */
type OwnReads = Readonly<Record<string, SqlRead>>;

/** The fields selected from one row: the row's GraphQL type, its alias in SQL, and the selections. */
interface Level {
  readonly type: GraphQLObjectType;
  readonly row: string;
  readonly selections: readonly SelectionNode[];
}

/** What the compiler knows about the operation, and the statement as far as it is written. */
interface Compilation extends CompilerParts {
  readonly context: Context;
  readonly fragments: Fragments;
  /** Coerced variables, defaults included. */
  readonly variables: Record<string, unknown>;
  readonly statement: StatementDraft;
}

/** Parameters and aliases of the statement, and what its parts say about reusing it. */
class StatementDraft {
  readonly values: unknown[] = [];
  keepsPlan = true;
  lastsMs = Number.POSITIVE_INFINITY;
  private aliases = 0;
  private now: string | undefined;

  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Names in a query can't contain a colon, so no column can have the same name and hide the row. */
  createAlias(): string {
    return `"r:${this.aliases++}"`;
  }

  /** Returns the placeholder of the current time. The statement then can't be reused. */
  bindNow(now: Date): string {
    this.lastsMs = 0;
    return (this.now ??= `${this.bind(now.toISOString())}::timestamptz`);
  }

  /** Returns the text of another statement with its parameters renumbered. */
  embed({ text, values, keepsPlan }: SqlStatement): string {
    const places = values.map((value) => {
      if (Number.isSafeInteger(value)) return String(value);
      this.keepsPlan &&= keepsPlan;
      return this.bind(value);
    });
    return text.replaceAll(/\$(\d+)/g, (_place, n: string) => places[Number(n) - 1] ?? "null");
  }
}

/**
 * Compiles a query to one SQL statement. Returns null if the admin may not read one of its fields, or a field can't be read
 * in SQL. GraphQL coerces the arguments and reports invalid ones.
 */
export function compileRead(
  parts: CompilerParts,
  request: { document: DocumentNode; operation: OperationDefinitionNode; variables: Record<string, unknown> },
  context: Context,
): CompiledRead | null {
  const { document, operation } = request;
  const type = parts.schema.getQueryType();
  if (operation.operation !== "query" || !type) return null;
  const { coerced } = getVariableValues(parts.schema, operation.variableDefinitions ?? [], request.variables);
  if (!coerced) return null;
  const statement = new StatementDraft();
  const compilation = { ...parts, context, fragments: getFragments(document), variables: coerced, statement };
  const root = { type, row: "", selections: operation.selectionSet.selections };
  const list = compileLevel(compilation, root);
  if (list === null) return null;
  // A field that must have a value and has none is an error, which the resolvers report.
  const required = [...collect(compilation, root)]
    .filter(([, [node]]) => isNonNullType(type.getFields()[node?.name.value ?? ""]?.type))
    .map(([key]) => `"x:"."${key}" is not null`);
  const where = required.length > 0 ? ` where ${required.join(" and ")}` : "";
  const { values, keepsPlan, lastsMs } = statement;
  return {
    text: `select row_to_json("x:")::text as data from (select ${list} offset 0) "x:"${where}`,
    values,
    keepsPlan,
    lastsMs,
  };
}

const collect = ({ fragments, variables }: Compilation, { selections }: Level) =>
  collectFields(selections, fragments, variables);

/** Returns a select list with one column for each response key; null if a field can't be read in SQL. */
function compileLevel(compilation: Compilation, level: Level, own: OwnReads = {}): string | null {
  const list: string[] = [];
  for (const [key, nodes] of collect(compilation, level)) {
    const expression = key.length <= MAX_NAME_LENGTH ? compileField(compilation, level, nodes, own) : null;
    if (expression === null) return null;
    list.push(`${expression} as "${key}"`);
  }
  return list.join(", ");
}

/** Returns the SQL expression of a field; null if the admin may not read it, or it can't be read in SQL. */
function compileField(
  compilation: Compilation,
  { type, row }: Level,
  nodes: readonly FieldNode[],
  own: OwnReads,
): string | null {
  const { permissions, reads, context, variables, statement } = compilation;
  const [node] = nodes;
  const name = node?.name.value ?? "";
  if (name === "__typename") return `'${type.name}'::text`;
  const coordinate = `${type.name}.${name}`;
  const field = type.getFields()[name];
  const read = own[name] ?? reads[coordinate];
  if (!node || !field || !read || !canRead(permissions, type.name, coordinate, context.actor)) return null;

  const inner = getNamedType(field.type);
  const selections = nodes.flatMap((one) => one.selectionSet?.selections ?? []);
  const alias = () => statement.createAlias();
  const compileInner = (innerRow: string, innerReads?: OwnReads) =>
    isObjectType(inner) ? compileLevel(compilation, { type: inner, row: innerRow, selections }, innerReads) : null;
  /** Selects the inner fields as JSON: `toJson` of rows `from` a table, or of the outer row. */
  const select = (toJson: (rows: string) => string, list: string | null, from = "") => {
    const rows = alias();
    return list && `(select ${toJson(rows)} from (select ${list}${from}) ${rows})`;
  };
  const reading: SqlReadContext = {
    row,
    args: getArgumentValues(field, node, variables),
    orm: context.orm,
    recentContext: () => {
      statement.lastsMs = Math.min(statement.lastsMs, RECENT_MS);
      return context;
    },
    selects: (...names) =>
      isObjectType(inner) &&
      [...collect(compilation, { type: inner, row, selections }).values()].some(([one]) =>
        names.includes(one?.name.value ?? ""),
      ),
    bind: (value) => statement.bind(value),
    now: () => statement.bindNow(context.clock.now()),
    alias,
    part: (other) => statement.embed(other),
    many: (from) => {
      const innerRow = alias();
      const toJson = (rows: string) => `coalesce(json_agg(${rows}), '[]'::json)`;
      return select(toJson, compileInner(innerRow), ` from ${from(innerRow)}`);
    },
    one: (from) => {
      const innerRow = alias();
      return select((rows) => `row_to_json(${rows})`, compileInner(innerRow), ` from ${from(innerRow)}`);
    },
    object: (fields) => select((rows) => `row_to_json(${rows})`, compileInner(row, fields)),
  };
  return read(reading);
}

/** Returns whether an admin may read a field. If not, the resolvers report it. */
function canRead(
  { operations, types }: PermissionTable,
  type: string,
  coordinate: string,
  actor: Actor | null,
): boolean {
  const permission: Permission | TypePermission | undefined = operations[coordinate] ?? types[type];
  if (!actor || permission === undefined || !includesRole(permission.audience, "admin")) return false;
  return !("roles" in permission) || permission.roles === undefined || hasAnyRole(actor, permission.roles);
}
