import { purges } from "#api/privacy/personal-data.ts";
import type { DueWork } from "#api/platform/due-work.ts";

/** Returns the work that removes old rows of a table, such as `move-codes`. */
export function purgeOf(table: string): DueWork {
  const purge = purges.find(({ name }) => name === `purge-${table}`);
  if (!purge) throw new Error(`Nothing purges ${table}.`);
  return purge;
}
