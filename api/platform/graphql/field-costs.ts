import type { ComplexityEstimatorArgs } from "graphql-query-complexity";

/**
 * Costs of fields in GraphQL operations. A cost of 10 is about 1 ms of CPU time with 100,000 users, so an operation at the
 * admins' limit of 10,000 takes about 1 s (docs/performance.md).
 */

/** Creates a cost estimator for a field with a fixed cost that doesn't depend on the fields selected below it. */
export const createReadCost =
  (own: number) =>
  ({ childComplexity }: ComplexityEstimatorArgs): number =>
    own + childComplexity;

/** Creates a cost estimator for a page of a list: `own` for finding its rows, and the rows it may have. */
export const createPageCost =
  (own = 0, least = 0) =>
  ({ args, childComplexity }: ComplexityEstimatorArgs): number =>
    own + calculateRowsCost((args as { first?: number }).first, childComplexity, least);

/** Returns the cost of `rows` rows (at least one), with `least` as the minimum cost of the read itself. */
export function calculateRowsCost(rows: number | undefined, childComplexity: number, least = 0): number {
  return Math.max(least, Math.max(1, rows ?? 0) * childComplexity);
}
