import type { Context } from "#api/platform/context.ts";
import type { RelationLoader } from "#api/platform/graphql/loaders.ts";

export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** True if one plan suits all values. */
  readonly keepsPlan: boolean;
}

/**
 * The field of an operation that is being compiled to SQL. A {@link SqlRead} returns an SQL expression for it. Values in
 * the SQL text must be constants or come from {@link bind}.
 */
export interface SqlReadContext {
  /** Alias of the row that the field belongs to. */
  readonly row: string;
  /** Arguments of the field, coerced by GraphQL but not yet validated by the product's rules. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly orm: Context["orm"];
  /**
   * Returns the request's context. Only for values that may be up to a minute old, because the statement is reused that
   * long.
   */
  readonly recentContext: () => Context;
  /** Returns whether the operation selects one of these fields from the field's object. */
  readonly selects: (...names: string[]) => boolean;
  /** Binds a value and returns its placeholder, such as `$1`. */
  readonly bind: (value: unknown) => string;
  /** Returns the placeholder of the current time, which is the same in the whole statement. */
  readonly now: () => string;
  /** Returns an alias that is unique in the statement. */
  readonly alias: () => string;
  /**
   * Returns the selected fields of many rows as a JSON list. `from` returns the table, conditions and order for an
   * alias.
   */
  readonly many: (from: (row: string) => string) => string | null;
  /** Returns the selected fields of one row as JSON; null if there is no row. */
  readonly one: (from: (row: string) => string) => string | null;
  /** Returns a JSON object of the selected fields, read by `fields`. For types that aren't rows, such as pages. */
  readonly object: (fields: Readonly<Record<string, SqlRead>>) => string | null;
  /**
   * Embeds a statement with its own parameters. Integers, such as limits, become part of the text. If the
   * embedded statement has other values, PostgreSQL plans the whole statement each time, because the best plan for a
   * search depends on its words, unless it {@link SqlStatement.keepsPlan}.
   */
  readonly part: (statement: SqlStatement) => string;
}

/** Returns the SQL expression of a field; null to leave the whole operation to the resolvers. */
export type SqlRead = (reading: SqlReadContext) => string | null;

/** SQL reads by field coordinate, such as `User.contacts`. */
export type SqlReads = Readonly<Record<string, SqlRead>>;

/**
 * Creates the SQL read of a relation. Table, columns and order come from the entity. The only supported conditions are
 * properties that must be null.
 * @throws Error for other conditions
 */
export function createRelationRead<Row extends object>({ relation }: RelationLoader<Row>): SqlRead {
  const { entity, of, orderBy, where } = relation;
  return ({ row: owner, many, orm }) => {
    const meta = orm.getMetadata().get(entity);
    const properties = meta.properties as Readonly<
      Record<string, { readonly fieldNames?: readonly string[] } | undefined>
    >;
    const column = (name: string) => properties[name]?.fieldNames?.[0] ?? name;
    const conditions = Object.entries(where ?? {}).map(([name, value]) => {
      if (value !== null) throw new Error(`${meta.className}.${name}: a relation only supports null conditions.`);
      return `${column(name)} is null`;
    });
    return many((row) => {
      const wanted = [`${column(of)} = ${owner}.id`, ...conditions].map((condition) => `${row}.${condition}`);
      const order = Object.entries(orderBy as Record<string, string>).map(
        ([name, direction]) => `${row}.${column(name)} ${direction}`,
      );
      return `${meta.tableName} ${row} where ${wanted.join(" and ")} order by ${order.join(", ")}`;
    });
  };
}

/** Returns SQL that formats a time like JavaScript: UTC, with milliseconds, truncated like a `Date`. */
export function formatMomentSql(expression: string): string {
  return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Returns a constant as an SQL literal. Not for user input. */
export function toSqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a `case … end` expression that maps the values of a column, with `otherwise` for unknown values. */
export function buildCaseSql(column: string, words: ReadonlyMap<number | string, string>, otherwise: string): string {
  const cases = [...words].map(
    ([value, text]) => `when ${typeof value === "string" ? toSqlLiteral(value) : value} then ${text}`,
  );
  return `case ${column} ${cases.join(" ")} else ${otherwise} end`;
}
