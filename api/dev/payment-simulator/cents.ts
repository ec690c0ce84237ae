/** Divides and rounds to whole cents, with halves away from zero so that credits mirror charges. */
export function divide(numerator: number, denominator: number): number {
  const cents = Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator));
  return numerator < 0 && cents > 0 ? -cents : cents;
}

/** Calculates a percentage of an amount in cents. `percentage` is 10 for 10% and has at most four decimals. */
export function calculatePercentage(amount: number, percentage: number): number {
  return divide(amount * Math.round(percentage * 10_000), 1_000_000);
}

/**
 * Splits a total over amounts so that the parts add up to it exactly. `getTotal` returns the total for a running sum of
 * the amounts, and each part is the difference between two consecutive totals.
 */
export function split(amounts: readonly number[], getTotal: (sum: number) => number): number[] {
  let sum = 0;
  let assigned = 0;
  return amounts.map((amount) => {
    sum += amount;
    const part = getTotal(sum) - assigned;
    assigned += part;
    return part === 0 ? 0 : part;
  });
}
