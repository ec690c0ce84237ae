import type { ComplexityEstimatorArgs } from "graphql-query-complexity";

/**
 * Weights of fields in the cost of an operation. 10 stands for about a millisecond of processor time with 100,000 users,
 * so that an operation at the admins' limit of 10,000 takes about a second of it (docs/performance.md).
 */

/** Returns the cost of a field that does a fixed amount of work, whatever is selected below it. */
export const costOfRead =
  (own: number) =>
  ({ childComplexity }: ComplexityEstimatorArgs): number =>
    own + childComplexity;

/** Returns the cost of `rows` rows, at least one, and at least `least` for a read that costs something even if it finds none. */
export function costOfRows(rows: number | undefined, childComplexity: number, least = 0): number {
  return Math.max(least, Math.max(1, rows ?? 0) * childComplexity);
}
