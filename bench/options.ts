import { parseArgs } from "node:util";

/** Options for a benchmark run. */
export interface BenchOptions {
  /** Names of suites, or empty for all. */
  readonly suites: readonly string[];
  /** Amount of data. 1 is 100,000 users, 300,000 licences, 500,000 devices and 5 million events. */
  readonly scale: number;
  /** Number of rounds. Each one measures every contender once. */
  readonly rounds: number;
  /** Length of a measurement. */
  readonly seconds: number;
  /** Number of concurrent connections or clients. */
  readonly connections: number;
  /** Stores the data on disk instead of in memory (tmpfs). */
  readonly disk: boolean;
  /** Profiles where the server spends processor time instead of comparing it with other servers. */
  readonly profile: boolean;
}

/** Error that prevents the benchmark from running, with a message for the user. */
export class BenchError extends Error {
  override readonly name = "BenchError";
}

/**
 * Reads the command line of `npm run bench -- …`.
 * @throws BenchError if an option is invalid
 */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new BenchError(`Unknown suite ${unknown.join(", ")}. Available suites: ${known.join(", ")}.`);
  return {
    suites: positionals,
    scale: readNumber("scale", values.scale, 0.0001, 10),
    rounds: Math.round(readNumber("rounds", values.rounds, 1, 100)),
    seconds: readNumber("seconds", values.seconds, 1, 600),
    connections: Math.round(readNumber("connections", values.connections, 1, 100)),
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

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new BenchError(`--${name} must be a number from ${least} to ${most}.`);
}
