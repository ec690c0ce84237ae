import type { EntityManager } from "./database.ts";

/**
 * Runs a change in the transaction of `em`. If there is none, it runs in a new transaction with an empty unit of work,
 * which is flushed at its end. In an existing transaction, the changes are flushed by the caller, or at the latest when
 * it commits.
 */
export async function inTransaction<Result>(
  { em }: { readonly em: EntityManager },
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return em.isInTransaction() ? change(em) : em.fork().transactional(change);
}

/** Runs a part of a transaction that can be rolled back separately if it fails. */
export function inSavepoint<Result>(em: EntityManager, part: (em: EntityManager) => Promise<Result>): Promise<Result> {
  return em.transactional(part);
}
