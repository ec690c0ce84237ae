/**
 * Measures the median gaps between calls, and repeats the measurement up to twice while a gap exceeds the limit. A busy
 * machine can cause a gap once, but a real difference appears every time.
 */
export async function measureGaps(
  limitMs: number,
  rounds: number,
  calls: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, number>> {
  let gaps = await measureMedianGaps(rounds, calls);
  for (let again = 0; again < 2 && Object.values(gaps).some((gap) => Math.abs(gap) >= limitMs); again++)
    gaps = await measureMedianGaps(rounds, calls);
  return gaps;
}

/**
 * Measures how many milliseconds each call is slower than the first one, as the median of all rounds. Every round makes
 * each call once and starts with a different one, so that a warm cache or a busy moment favours none of them.
 */
async function measureMedianGaps(
  rounds: number,
  calls: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, number>> {
  const names = Object.keys(calls);
  const [first = "", ...others] = names;
  const gaps = new Map<string, number[]>(others.map((name) => [name, []]));
  const warmUp = 5;
  for (let round = -warmUp; round < rounds; round++) {
    const took: Record<string, number> = {};
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + warmUp + turn) % names.length] ?? "";
      const started = performance.now();
      await calls[name]?.();
      took[name] = performance.now() - started;
    }
    if (round < 0) continue;
    for (const [name, list] of gaps) list.push((took[name] ?? Number.NaN) - (took[first] ?? Number.NaN));
  }
  return Object.fromEntries([...gaps].map(([name, list]) => [name, median(list)]));
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
