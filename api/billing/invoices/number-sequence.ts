import { type EntityManager, query } from "#api/platform/database/database.ts";
import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Integer } from "#api/platform/database/columns.ts";

/**
 * Last number used in each gapless series. The next number is taken in the transaction that uses it, so a rollback
 * returns the number.
 */
@Entity({ tableName: "number_sequences" })
export class NumberSequence {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Integer()
  last!: number;
}

/** Number series, each with its first number and prefix. */
const series = {
  "tax-invoice": { first: 100_001, prefix: "" },
  "adjustment-note": { first: 100_001, prefix: "A-" },
  quote: { first: 100_001, prefix: "Q-" },
} as const;
type SeriesName = keyof typeof series;

/** Locks a series until the end of the transaction. Other transactions that need a number wait. */
export async function lockSequence(em: EntityManager, name: SeriesName): Promise<void> {
  // Locks an existing row by updating it to what it is.
  await query(
    em,
    `insert into number_sequences as known (name, last) values ($1, $2)
     on conflict (name) do update set last = known.last`,
    [name, series[name].first - 1],
  );
}

/**
 * Takes the next number of a series locked with {@link lockSequence}, such as `100001` or `A-100001` for adjustment
 * notes. A rollback returns the number.
 */
export async function takeNumber(em: EntityManager, name: SeriesName): Promise<string> {
  return (await takeNumbers(em, name, 1))();
}

/** Takes the next `count` numbers as {@link takeNumber} does. Each call of the returned function returns the next one. */
export async function takeNumbers(em: EntityManager, name: SeriesName, count: number): Promise<() => string> {
  const [taken] = await query<{ last: number }>(
    em,
    "update number_sequences set last = last + $2 where name = $1 returning last",
    [name, count],
  );
  if (!taken) throw new Error(`The number series ${name} does not exist.`);
  let next = taken.last - count;
  return () => `${series[name].prefix}${++next}`;
}
