/** `numerator / denominator` in whole cents, halves away from zero, so that credits mirror charges. */
export function divide(numerator: number, denominator: number): number {
  const cents = Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator));
  return numerator < 0 && cents > 0 ? -cents : cents;
}

/** A percentage (10 = ten per cent, four decimals at most) of an amount in cents. */
export function calculatePercentage(amount: number, percentage: number): number {
  return divide(amount * Math.round(percentage * 10_000), 1_000_000);
}

/**
 * Splits what a running sum is worth over its parts: part n gets the worth of the sum up to n less what went
 * before, so that the parts add up to `worth(sum)` to the cent.
 */
export function split(amounts: readonly number[], worth: (sum: number) => number): number[] {
  let sum = 0;
  let given = 0;
  return amounts.map((amount) => {
    sum += amount;
    const part = worth(sum) - given;
    given += part;
    return part === 0 ? 0 : part;
  });
}
