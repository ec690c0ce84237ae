import { parseArgs } from "node:util";

/** What one run of the bench was asked for. */
export interface BenchOptions {
  /** Names of suites; empty: all. */
  readonly suites: readonly string[];
  /** 1 is the full amount of data: 100,000 users, 300,000 licences, 500,000 devices, 5 million events. */
  readonly scale: number;
  /** Rounds in which every contender is measured once. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** Have everybody work before what counts, so that caches are warm. False where only the answers matter. */
  readonly warmUp: boolean;
  /** Connections, or clients, that ask at the same time. */
  readonly connections: number;
  /** Data on the disk instead of in memory (tmpfs). */
  readonly disk: boolean;
  /** Say where the server's processor time goes instead of comparing it. */
  readonly profile: boolean;
}

/** A bench that cannot run, as a sentence for whoever called it. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}

/**
 * Reads the command line of `npm run bench -- …`.
 * @throws BenchError for what it does not understand
 */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new BenchError(`There is no suite ${unknown.join(", ")}; there are ${known.join(", ")}.`);
  return {
    suites: positionals,
    scale: numberOf("scale", values.scale, 0.0001, 10),
    rounds: Math.round(numberOf("rounds", values.rounds, 1, 100)),
    seconds: numberOf("seconds", values.seconds, 1, 600),
    warmUp: true,
    connections: Math.round(numberOf("connections", values.connections, 1, 100)),
    disk: values.disk,
    profile: values.profile,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scale: { type: "string", default: "1" },
        rounds: { type: "string", default: "7" },
        seconds: { type: "string", default: "4" },
        connections: { type: "string", default: "64" },
        disk: { type: "boolean", default: false },
        profile: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new BenchError((error as Error).message);
  }
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new BenchError(`--${name} must be a number from ${least} to ${most}.`);
}
