import {
  type FieldNode,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";
import { includesRole } from "#api/platform/graphql/audience.ts";
import { collectFields, getFragments } from "#api/platform/graphql/collect-fields.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { hasAnyRole } from "#api/platform/graphql/staff-role.ts";
import type { Permission, PermissionTable, TypePermission } from "#api/platform/graphql/permissions.ts";
import type { SqlReadContext, SqlRead, SqlReads, SqlStatement } from "./read-context.ts";

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

/** A position in the operation: the type of a row, its alias and the selected fields. */
interface Place {
  readonly type: GraphQLObjectType;
  readonly row: string;
  readonly chosen: readonly SelectionNode[];
}

/**
 * Compiles a query to one SQL statement. Returns null if the admin may not read one of its fields, or a field can't be read
 * in SQL. GraphQL coerces the arguments and reports invalid ones.
 */
export function compileRead(
  { schema, permissions, reads }: CompilerParts,
  request: { document: DocumentNode; operation: OperationDefinitionNode; variables: Record<string, unknown> },
  context: Context,
): CompiledRead | null {
  const root = schema.getQueryType();
  if (request.operation.operation !== "query" || !root) return null;
  const { coerced } = getVariableValues(schema, request.operation.variableDefinitions ?? [], request.variables);
  if (!coerced) return null;
  const fragments = getFragments(request.document);
  const values: unknown[] = [];
  let now: string | undefined;
  let aliases = 0;
  let keepsPlan = true;
  let lastsMs = Number.POSITIVE_INFINITY;

  const bind = (value: unknown) => `$${values.push(value)}`;
  const part = (statement: SqlStatement) => {
    const places = statement.values.map((value) => {
      if (Number.isSafeInteger(value)) return String(value);
      keepsPlan &&= statement.keepsPlan ?? false;
      return bind(value);
    });
    return statement.text.replaceAll(/\$(\d+)/g, (_place, n: string) => places[Number(n) - 1] ?? "null");
  };
  // Names in a query can't contain a colon, so no column can have the same name and hide the row.
  const alias = () => `"r:${aliases++}"`;

  /** Returns a select list with one column for each response key; null if a field can't be read in SQL. */
  const columns = (place: Place, own?: Readonly<Record<string, SqlRead>>): string | null => {
    const list: string[] = [];
    for (const [key, nodes] of collect(place)) {
      const expression = key.length <= MAX_NAME_LENGTH ? read(place, nodes, own) : null;
      if (expression === null) return null;
      list.push(`${expression} as "${key}"`);
    }
    return list.join(", ");
  };

  const read = (place: Place, nodes: readonly FieldNode[], own?: Readonly<Record<string, SqlRead>>): string | null => {
    const { type, row } = place;
    const [node] = nodes;
    const name = node?.name.value ?? "";
    if (name === "__typename") return `'${type.name}'::text`;
    const coordinate = `${type.name}.${name}`;
    const field = type.getFields()[name];
    const sqlRead = own?.[name] ?? reads[coordinate];
    if (!node || !field || !sqlRead || !canRead(permissions, type.name, coordinate, context.actor)) return null;
    const inner = getNamedType(field.type);
    const chosen = nodes.flatMap((one) => one.selectionSet?.selections ?? []);
    const within = (rowOfInner: string, fields?: Readonly<Record<string, SqlRead>>) =>
      isObjectType(inner) ? columns({ type: inner, row: rowOfInner, chosen }, fields) : null;
    const reading: SqlReadContext = {
      row,
      args: getArgumentValues(field, node, coerced),
      orm: context.orm,
      recentContext: () => {
        lastsMs = Math.min(lastsMs, RECENT_MS);
        return context;
      },
      bind,
      now: () => {
        lastsMs = 0;
        return (now ??= `${bind(context.clock.now().toISOString())}::timestamptz`);
      },
      alias,
      part,
      many: (from) => {
        const of = alias();
        const list = within(of);
        const rows = alias();
        return (
          list && `(select coalesce(json_agg(${rows}), '[]'::json) from (select ${list} from ${from(of)}) ${rows})`
        );
      },
      one: (from) => {
        const of = alias();
        const list = within(of);
        const rows = alias();
        return list && `(select row_to_json(${rows}) from (select ${list} from ${from(of)}) ${rows})`;
      },
      object: (fields) => {
        const list = within(row, fields);
        const rows = alias();
        return list && `(select row_to_json(${rows}) from (select ${list}) ${rows})`;
      },
    };
    return sqlRead(reading);
  };

  const collect = ({ chosen }: Place) => collectFields(chosen, fragments, coerced);

  const place = { type: root, row: "", chosen: request.operation.selectionSet.selections };
  const list = columns(place);
  if (list === null) return null;
  const required = [...collect(place)]
    .filter(([, [node]]) => isNonNullType(root.getFields()[node?.name.value ?? ""]?.type))
    .map(([key]) => `"x:"."${key}" is not null`);
  const where = required.length > 0 ? ` where ${required.join(" and ")}` : "";
  return {
    text: `select row_to_json("x:")::text as data from (select ${list} offset 0) "x:"${where}`,
    values,
    keepsPlan,
    lastsMs,
  };
}

/** Returns whether an admin may read a field. If not, the resolvers report it. */
function canRead(
  { operations, types }: PermissionTable,
  type: string,
  coordinate: string,
  actor: Actor | null,
): boolean {
  const row: Permission | TypePermission | undefined = operations[coordinate] ?? types[type];
  if (!actor || row === undefined || !includesRole(row.audience, "admin")) return false;
  return !("roles" in row) || row.roles === undefined || hasAnyRole(actor, row.roles);
}
