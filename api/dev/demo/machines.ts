import type { Random } from "./random.ts";

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
