/** Chance that comes out the same every time, so that two people looking at demo data see the same. */
export interface Random {
  /** From 0 up to but not 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True in `share` of the cases, 0 to 1. */
  chance(share: number): boolean;
  /** That many hexadecimal digits. */
  hex(digits: number): string;
}

/** A generator (mulberry32) that always gives the same numbers for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("Nothing to pick from.");
      return item;
    },
    chance: (share) => next() < share,
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(""),
  };
}
