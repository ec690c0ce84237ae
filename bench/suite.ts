import type { BenchData } from "./data.ts";
import type { BenchEnvironment } from "./environment.ts";
import type { LoadGenerator } from "./load/load.ts";
import type { BenchOptions } from "./options.ts";
import type { SuiteReport } from "./report.ts";

/** Resources shared by all suites of a run. */
export interface Bench {
  readonly options: BenchOptions;
  readonly environment: BenchEnvironment;
  readonly data: BenchData;
  readonly generator: LoadGenerator;
  /** Prints progress. */
  readonly print: (text: string) => void;
}

/** A suite of `npm run bench`. */
export type Suite = (bench: Bench) => Promise<SuiteReport>;
