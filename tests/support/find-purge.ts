import { purges } from "#api/privacy/personal-data.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";

/**
 * Returns the sweep that purges old rows of a table.
 * @param table the name as the sweep uses it, such as `move-codes`
 * @throws Error if no sweep purges the table
 */
export function findPurge(table: string): Sweep {
  const purge = purges.find(({ name }) => name === `purge-${table}`);
  if (!purge) throw new Error(`There is no purge of ${table}.`);
  return purge;
}
