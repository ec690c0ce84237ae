import { createHash } from "node:crypto";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";

/** Number of rows of each kind. */
export interface Sizes {
  readonly users: number;
  readonly licences: number;
  readonly devices: number;
  readonly events: number;
  /** Number of devices that the load uses. All of them have a running licence. */
  readonly loadDevices: number;
}

/** Returns the sizes at a scale. 1 is the full amount of data. */
export function getSizes(scale: number): Sizes {
  const users = Math.max(100, Math.round(100_000 * scale));
  return {
    users,
    licences: users * 3,
    devices: users * 5,
    events: Math.round(5_000_000 * scale),
    loadDevices: Math.max(200, Math.round(50_000 * scale)),
  };
}

export type LicenceState = "running" | "expired" | "revoked" | "suspended";

/** Returns the state of licence `n`: three of 20 are not running. The seed calculates the same in SQL. */
export function getLicenceState(n: number): LicenceState {
  return n % 20 === 4 ? "expired" : n % 20 === 7 ? "revoked" : n % 20 === 12 ? "suspended" : "running";
}

/** Returns the id of row `n` of a kind. The seed calculates the same in SQL. */
export function buildRowId(kind: "user" | "licence" | "device" | "lease", n: number): string {
  const hex = createHash("md5").update(`${kind} ${n}`).digest("hex");
  // In the format of a random id (version 4), because requests with other ids are rejected.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

/** Device `n` of licence `n`, as its add-in sends it. */
export interface BenchDevice {
  readonly n: number;
  readonly licenceCode: string;
  readonly machineToken: string;
  readonly machine: {
    readonly machineName: string;
    readonly fingerprint: string;
    readonly components: Record<string, string>;
    readonly osUser: string;
    readonly isVm: boolean;
  };
}

/** All licences and devices in the database of a run, counted from 1. */
export interface Population {
  readonly sizes: Sizes;
  /** Licence codes. The code of licence `n` is at index `n - 1`. */
  readonly licenceCodes: readonly string[];
  readonly device: (n: number) => BenchDevice;
  /** The devices the load uses, in random order. */
  readonly loadDevices: readonly BenchDevice[];
}

/** Creates the population of a scale, with real licence codes and the same devices in every run. */
export function createPopulation(scale: number): Population {
  const sizes = getSizes(scale);
  const licenceCodes = Array.from({ length: sizes.licences }, generateLicenceCode);
  const device = (n: number): BenchDevice => {
    const createPart = (name: string) => createHash("md5").update(`${name} ${n}`).digest("hex");
    return {
      n,
      licenceCode: licenceCodes[n - 1] ?? "",
      machineToken: `bench-machine-token-${n}`,
      machine: {
        machineName: `PLANNING-${n}|corp.example`,
        fingerprint: createPart("fingerprint"),
        components: {
          board: createPart("board"),
          disk: createPart("disk"),
          cpu: createPart("cpu"),
          mac: createPart("mac"),
        },
        osUser: `CORP\\user${n}`,
        isVm: false,
      },
    };
  };
  const running = Array.from({ length: sizes.licences }, (_, index) => index + 1).filter(
    (n) => getLicenceState(n) === "running",
  );
  const loadDevices = shuffle(running, createRandom(20_270_101)).slice(0, sizes.loadDevices).map(device);
  return { sizes, licenceCodes, device, loadDevices };
}

export function shuffle<Item>(items: readonly Item[], random: () => number = Math.random): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}

/** Creates a generator of numbers from 0 to 1 that repeats its sequence for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
