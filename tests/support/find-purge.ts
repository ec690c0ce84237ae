import { purges } from "#api/privacy/personal-data.ts";
import type { Sweep } from "#api/platform/sweeps.ts";

/**
 * Returns the sweep that purges old rows of a table, such as `move-codes`.
 * @throws Error if there is none
 */
export function findPurge(table: string): Sweep {
  const purge = purges.find(({ name }) => name === `purge-${table}`);
  if (!purge) throw new Error(`There is no purge of ${table}.`);
  return purge;
}
