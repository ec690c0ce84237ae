import type { Context } from "#api/platform/context.ts";
import type { RelationLoader } from "#api/platform/loaders.ts";

/** SQL with its parameters, `$1` being the first. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether one plan is good for all its values. */
  readonly keepsPlan?: boolean;
}

/**
 * One field of an operation while it is turned into SQL. A {@link SqlRead} answers with an SQL expression; what it puts
 * into text must be its own words or come from {@link bind}.
 */
export interface Reading {
  /** Alias of the row that the field belongs to. */
  readonly row: string;
  /** The field's arguments, coerced by GraphQL and not yet by rules of ours. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly orm: Context["orm"];
  /** The request's context, for what may as well be a minute old: this statement answers the same question so long. */
  readonly recentContext: () => Context;
  /** Binds a value; answers its place, `$1`. */
  readonly bind: (value: unknown) => string;
  /** The moment of the question, bound: one for the whole statement. */
  readonly now: () => string;
  /** A name for rows that no other part of the statement has. */
  readonly alias: () => string;
  /** The chosen fields of many rows as a JSON list; `from` says which, by the alias it is given: table, where, order. */
  readonly many: (from: (row: string) => string) => string | null;
  /** The chosen fields of the one row, null without any. */
  readonly one: (from: (row: string) => string) => string | null;
  /** A JSON object of the chosen fields, which are read by `fields`: for types that are no rows, such as pages. */
  readonly object: (fields: Readonly<Record<string, SqlRead>>) => string | null;
  /**
   * A statement with parameters of its own as a part of this one. Whole numbers, which decide how many rows are read,
   * go into its text, and PostgreSQL keeps the plan; with anything else it is planned anew for these values, unless the
   * statement says that one plan is good for all: the best plan of a search depends on the words.
   */
  readonly part: (statement: SqlStatement) => string;
}

/** How a field is read in SQL; null leaves the whole operation to the resolvers. */
export type SqlRead = (reading: Reading) => string | null;

/** Fields by coordinate, `User.contacts`. */
export type SqlReads = Readonly<Record<string, SqlRead>>;

/**
 * Returns how a relation is read in SQL: table, columns and order come from the entity. Of its conditions it knows only
 * properties that must be null.
 * @throws Error for another condition
 */
export function relationRead<Row extends object>({ relation }: RelationLoader<Row>): SqlRead {
  const { entity, of, orderBy, where } = relation;
  return ({ row: owner, many, orm }) => {
    const meta = orm.getMetadata().get(entity);
    const properties = meta.properties as Readonly<
      Record<string, { readonly fieldNames?: readonly string[] } | undefined>
    >;
    const column = (name: string) => properties[name]?.fieldNames?.[0] ?? name;
    const conditions = Object.entries(where ?? {}).map(([name, value]) => {
      if (value !== null) throw new Error(`${meta.className}.${name}: a relation can only ask for null.`);
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

/** A moment as JavaScript writes it, milliseconds in UTC; further digits are cut off, as a Date does. */
export function moment(expression: string): string {
  return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL text of a constant of our own. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** SQL for each value of a column, another for the values the list does not know: `case … end`. */
export function wordsFor(column: string, words: ReadonlyMap<number | string, string>, otherwise: string): string {
  const cases = [...words].map(
    ([value, text]) => `when ${typeof value === "string" ? literal(value) : value} then ${text}`,
  );
  return `case ${column} ${cases.join(" ")} else ${otherwise} end`;
}
