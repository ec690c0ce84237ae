/** Numbers that are the same on every run, so that everyone sees the same demo data. */
export type Random = ReturnType<typeof createRandom>;

/** Creates a generator (mulberry32) that returns the same numbers for the same seed. */
export function createRandom(seed: number) {
  let state = seed;
  /** Returns a number from 0 up to, but not including, 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a whole number from `min` to `max`, inclusive. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("Nothing to pick from.");
      return item;
    },
    /** Returns true with the given probability (0 to 1). */
    chance: (probability: number): boolean => next() < probability,
    /** Returns a string of random hexadecimal digits. */
    hex: (digits: number): string => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(""),
  };
}

/** A machine as the add-in describes it. */
export interface DemoMachine {
  readonly machineName: string;
  readonly fingerprint: string;
  readonly components: Record<string, string>;
  readonly osUser: string;
  readonly isVm: boolean;
}

const sites = ["BNE", "MEL", "SYD", "PER", "ADL", "SITE2", "HQ"] as const;

/** Generates an invented machine. Some names have the suffix that the add-in adds after `|`. */
export function generateMachine(random: Random, osUser: string): DemoMachine {
  const number = String(random.int(1, 240)).padStart(3, "0");
  const name = random.pick([
    `${random.pick(sites)}-PLAN-${number}`,
    `LAPTOP-${random.hex(7).toUpperCase()}`,
    `DESKTOP-${random.hex(7).toUpperCase()}`,
    `${random.pick(sites)}-WS${number}|${osUser}`,
  ]);
  return {
    machineName: name,
    fingerprint: random.hex(64),
    components: { cpu: random.hex(32), board: random.hex(32), disk: random.hex(32), bios: random.hex(32) },
    osUser,
    isVm: random.chance(0.08),
  };
}

/** Picks a version of the add-in and of the planning program. */
export function pickVersions(random: Random): { addInVersion: string; hostVersion: string } {
  return {
    addInVersion: random.pick(["7.0.4", "7.1.0", "7.1.2", "7.2.0"]),
    hostVersion: random.pick(["2013", "2016", "2019", "2019"]),
  };
}
