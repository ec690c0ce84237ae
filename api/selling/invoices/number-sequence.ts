import { type EntityManager, query } from "#api/platform/database.ts";

/** The series of numbers and how each is written. */
const series = {
  "tax-invoice": { first: 100_001, prefix: "" },
  "adjustment-note": { first: 100_001, prefix: "A-" },
} as const;
export type SeriesName = keyof typeof series;

/** Makes everybody else who takes a number of the series wait until this transaction is over. */
export async function lockSequence(em: EntityManager, name: SeriesName): Promise<void> {
  await query(em, "insert into number_sequences (name, last) values ($1, $2) on conflict (name) do nothing", [
    name,
    series[name].first - 1,
  ]);
  await query(em, "select from number_sequences where name = $1 for update", [name]);
}

/**
 * Takes the next number of a series that {@link lockSequence} has locked: `100001`, adjustment notes `A-100001`. When
 * the transaction is rolled back the number was never taken.
 */
export async function takeNumber(em: EntityManager, name: SeriesName): Promise<string> {
  const [taken] = await query<{ last: number }>(
    em,
    "update number_sequences set last = last + 1 where name = $1 returning last",
    [name],
  );
  if (!taken) throw new Error(`The series ${name} is not there.`);
  return `${series[name].prefix}${taken.last}`;
}
