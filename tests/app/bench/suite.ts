import type { BenchData } from "./data.ts";
import type { Ground } from "./ground.ts";
import type { LoadGenerator } from "./load/load.ts";
import type { BenchOptions } from "./options.ts";
import type { SuiteReport } from "./report.ts";

/** What every suite of a run shares. */
export interface Bench {
  readonly options: BenchOptions;
  readonly ground: Ground;
  readonly data: BenchData;
  readonly generator: LoadGenerator;
  readonly product: string;
  /** False leaves the reference that only pgbench can give out. */
  readonly hasPgbench: boolean;
  /** Writes for whoever waits. */
  readonly say: (text: string) => void;
}

/** One suite of `npm run bench`. */
export type Suite = (bench: Bench) => Promise<SuiteReport>;
