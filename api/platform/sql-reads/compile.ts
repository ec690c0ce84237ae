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
import { includesRole } from "#api/platform/audience.ts";
import { collectFields, fragmentsOf } from "#api/platform/collect-fields.ts";
import type { Context } from "#api/platform/context.ts";
import type { PermissionTable } from "#api/platform/permissions.ts";
import type { Reading, SqlRead, SqlReads, SqlStatement } from "./reading.ts";

/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63;
const RECENT_MS = 60_000;

/** What operations are compiled with. */
export interface CompilerParts {
  readonly schema: GraphQLSchema;
  readonly permissions: PermissionTable;
  readonly reads: SqlReads;
}

/** An operation as one statement, whose one row has `data`; no row when only the resolvers can say what is wrong. */
export interface CompiledRead {
  readonly text: string;
  readonly values: unknown[];
  /** False when its values deserve a plan of their own. */
  readonly keepsPlan: boolean;
  /** How long, in ms, the same question with the same variables is this statement. */
  readonly lastsMs: number;
}

/** A place in the operation: the type of a row, the row's alias, what is chosen of it. */
interface Place {
  readonly type: GraphQLObjectType;
  readonly row: string;
  readonly chosen: readonly SelectionNode[];
}

/**
 * Turns a query into one SQL statement, if an admin may read every field of it and each is known to SQL; else null.
 * Arguments are coerced by GraphQL itself; whatever it would refuse is left to it.
 */
export function compileRead(
  { schema, permissions, reads }: CompilerParts,
  asked: { document: DocumentNode; operation: OperationDefinitionNode; variables: Record<string, unknown> },
  context: Context,
): CompiledRead | null {
  const root = schema.getQueryType();
  if (asked.operation.operation !== "query" || !root) return null;
  const { coerced } = getVariableValues(schema, asked.operation.variableDefinitions ?? [], asked.variables);
  if (!coerced) return null;
  const fragments = fragmentsOf(asked.document);
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
  // With a sign that no name in a query has: a column of the same name would be taken for the row.
  const alias = () => `"r:${aliases++}"`;

  /** The columns of a select list, one for each response key; null where a field is not known to SQL. */
  const columns = (place: Place, own?: Readonly<Record<string, SqlRead>>): string | null => {
    const list: string[] = [];
    for (const [key, nodes] of collect(place)) {
      const expression = key.length <= LONGEST_NAME ? read(place, nodes, own) : null;
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
    if (!node || !field || !sqlRead || !isForAdmins(permissions, type.name, coordinate)) return null;
    const inner = getNamedType(field.type);
    const chosen = nodes.flatMap((one) => one.selectionSet?.selections ?? []);
    const within = (rowOfInner: string, fields?: Readonly<Record<string, SqlRead>>) =>
      isObjectType(inner) ? columns({ type: inner, row: rowOfInner, chosen }, fields) : null;
    const reading: Reading = {
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

  const place = { type: root, row: "", chosen: asked.operation.selectionSet.selections };
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

function isForAdmins({ operations, types }: PermissionTable, type: string, coordinate: string): boolean {
  const row = operations[coordinate] ?? types[type];
  return row !== undefined && includesRole(row.audience, "admin");
}
