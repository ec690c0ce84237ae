/**
 * Measures {@link medianGaps} and, when a gap is over the limit because the machine was busy, measures again, twice at
 * most: a true difference is there every time.
 */
export async function gapsWithin(
  limitMs: number,
  rounds: number,
  asked: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, number>> {
  let gaps = await medianGaps(rounds, asked);
  for (let again = 0; again < 2 && Object.values(gaps).some((gap) => Math.abs(gap) >= limitMs); again++)
    gaps = await medianGaps(rounds, asked);
  return gaps;
}

/**
 * By how many milliseconds each of the others is slower than the first one, at the median of so many rounds. In every
 * round each is asked once, and another one begins, so that neither a warm cache nor a busy moment favours one of them.
 */
async function medianGaps(
  rounds: number,
  asked: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, number>> {
  const names = Object.keys(asked);
  const [first = "", ...others] = names;
  const gaps = new Map<string, number[]>(others.map((name) => [name, []]));
  const warmUp = 5;
  for (let round = -warmUp; round < rounds; round++) {
    const took: Record<string, number> = {};
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + warmUp + turn) % names.length] ?? "";
      const started = performance.now();
      await asked[name]?.();
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
