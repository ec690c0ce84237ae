import type { EntityManager } from "./database.ts";

/**
 * Runs a change in the transaction of `em`, or in a new one and a unit of work that has read nothing yet when `em` has none.
 * A new transaction flushes at its end; a change that joins one is flushed at the latest by the caller's.
 */
export async function inTransaction<Result>(
  { em }: { readonly em: EntityManager },
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return em.isInTransaction() ? change(em) : em.fork().transactional(change);
}

/** Runs a part of a transaction that can fail and be rolled back without the rest. */
export function inSavepoint<Result>(em: EntityManager, part: (em: EntityManager) => Promise<Result>): Promise<Result> {
  return em.transactional(part);
}
