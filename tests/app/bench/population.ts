import { createHash } from "node:crypto";
import { newLicenceCode } from "#api/licensing/licences/licence-code.ts";

/** How many rows of each kind. */
export interface Sizes {
  readonly users: number;
  readonly licences: number;
  readonly devices: number;
  readonly events: number;
  /** Devices that the load asks from, all of them on a running licence. */
  readonly asking: number;
}

/** The sizes at a scale; 1 is the full amount of data. */
export function sizesAt(scale: number): Sizes {
  const users = Math.max(100, Math.round(100_000 * scale));
  return {
    users,
    licences: users * 3,
    devices: users * 5,
    events: Math.round(5_000_000 * scale),
    asking: Math.max(200, Math.round(50_000 * scale)),
  };
}

/** What stands against a licence. */
export type Standing = "running" | "expired" | "revoked" | "suspended";

/** Standing of licence `n`: three of twenty are not running. The seed says the same in SQL. */
export function standingOf(n: number): Standing {
  return n % 20 === 4 ? "expired" : n % 20 === 7 ? "revoked" : n % 20 === 12 ? "suspended" : "running";
}

/** Id of row `n` of a kind, as the seed's SQL makes it too. */
export function idOf(kind: "user" | "licence" | "device" | "lease", n: number): string {
  const hex = createHash("md5").update(`${kind} ${n}`).digest("hex");
  // In the form of a random id (version 4), for what is sent as an id must look like one.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

/** Device `n`, which stands on licence `n`, as its add-in knows it. */
export interface AskingDevice {
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

/** Everybody who is in the database of a run; numbers count from 1. */
export interface Population {
  readonly sizes: Sizes;
  /** Code of licence `n` at `n - 1`. */
  readonly licenceCodes: readonly string[];
  readonly device: (n: number) => AskingDevice;
  /** The devices the load asks from, in no order. */
  readonly asking: readonly AskingDevice[];
}

/** Thinks the population of a scale up: real licence codes, and the same devices in every run. */
export function createPopulation(scale: number): Population {
  const sizes = sizesAt(scale);
  const licenceCodes = Array.from({ length: sizes.licences }, newLicenceCode);
  const device = (n: number): AskingDevice => {
    const part = (name: string) => createHash("md5").update(`${name} ${n}`).digest("hex");
    return {
      n,
      licenceCode: licenceCodes[n - 1] ?? "",
      machineToken: `bench-machine-token-${n}`,
      machine: {
        machineName: `PLANNING-${n}|corp.example`,
        fingerprint: part("fingerprint"),
        components: { board: part("board"), disk: part("disk"), cpu: part("cpu"), mac: part("mac") },
        osUser: `CORP\\user${n}`,
        isVm: false,
      },
    };
  };
  const running = Array.from({ length: sizes.licences }, (_, index) => index + 1).filter(
    (n) => standingOf(n) === "running",
  );
  const asking = shuffled(running, createRandom(20_270_101)).slice(0, sizes.asking).map(device);
  return { sizes, licenceCodes, device, asking };
}

/** A list in another order. */
export function shuffled<Item>(items: readonly Item[], random: () => number = Math.random): Item[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}

/** Numbers from 0 to 1 that come out the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
