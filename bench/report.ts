import type { Sample, Spread } from "./rounds.ts";
import { calculateSpread } from "./rounds.ts";

/** The result of a run for a limit in docs/performance.md. */
export interface Verdict {
  readonly name: string;
  readonly value: number;
  /** The quartiles, if there are several measurements. */
  readonly spread?: Spread;
  readonly limit: { readonly least?: number; readonly most?: number };
  readonly unit?: string;
  /** Goal that is stricter than the limit. */
  readonly goal?: string;
  /** If false, the value is printed but not checked, for example at a small scale. */
  readonly isChecked?: boolean;
}

export interface SuiteReport {
  readonly suite: string;
  readonly verdicts: readonly Verdict[];
  /** Violations of the product's guarantees, such as different responses, lost rows and errors. They fail the run at any scale. */
  readonly faults: readonly string[];
}

/** Judges the median of several measurements. */
export function judgeMedian(
  name: string,
  spread: Spread,
  limit: Verdict["limit"],
  more: Pick<Verdict, "goal" | "isChecked" | "unit"> = {},
): Verdict {
  return { name, value: spread.median, spread, limit, ...more };
}

/** Returns whether a verdict misses its limit. */
export function isMissed({ value, limit, isChecked = true }: Verdict): boolean {
  if (!isChecked) return false;
  // A missing measurement fails.
  if (Number.isNaN(value)) return true;
  return (limit.least !== undefined && value < limit.least) || (limit.most !== undefined && value > limit.most);
}

/** Formats a table with each contender's medians over the rounds. */
export function formatContenders(samples: ReadonlyMap<string, readonly Sample[]>): string {
  const rows = [...samples].map(([name, list]) => {
    const median = (pick: (sample: Sample) => number) => calculateSpread(list.map(pick)).median;
    const rate = calculateSpread(list.map(({ perSecond }) => perSecond));
    return [
      name,
      `${formatWhole(rate.median)} (${formatWhole(rate.low)}–${formatWhole(rate.high)})`,
      formatWhole(median((sample) => sample.serverMicros)),
      formatWhole(median((sample) => sample.postgresMicros)),
      formatWhole(median((sample) => sample.generatorMicros)),
      median((sample) => sample.statements).toFixed(2),
      median((sample) => sample.p50Ms).toFixed(1),
      median((sample) => sample.p99Ms).toFixed(1),
      String(list.reduce((sum, sample) => sum + sample.errors, 0)),
    ];
  });
  const heads = ["", "a second (quartiles)", "server µs", "postgres µs", "load µs", "statements", "p50 ms", "p99 ms"];
  return formatTable([[...heads, "errors"], ...rows]);
}

/** Formats the verdicts as a table. */
export function formatVerdicts(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((verdict) => {
    const { name, value, spread, limit, unit = "", goal = "" } = verdict;
    const bound = limit.least === undefined ? `≤ ${limit.most}${unit}` : `≥ ${limit.least}${unit}`;
    const around = spread ? ` (${formatShort(spread.low)}–${formatShort(spread.high)})` : "";
    const result = verdict.isChecked === false ? "not checked" : isMissed(verdict) ? "MISSED" : "met";
    return [name, `${formatShort(value)}${unit}${around}`, bound, goal, result];
  });
  return formatTable([["", "measured (quartiles)", "limit", "goal", ""], ...rows]);
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `  ${line}\n`)
    .join("");
}

const formatWhole = (value: number) => (Number.isNaN(value) ? "–" : Math.round(value).toLocaleString("en"));
const formatShort = (value: number) => (Math.abs(value) >= 20 ? value.toFixed(0) : value.toFixed(2));
