import type { Sample, Spread } from "./rounds.ts";
import { spreadOf } from "./rounds.ts";

/** One bar of docs/performance.md and how the run stands to it. */
export interface Verdict {
  readonly name: string;
  readonly value: number;
  /** The quartiles around it, where there are any. */
  readonly spread?: Spread;
  readonly bar: { readonly least?: number; readonly most?: number };
  readonly unit?: string;
  /** Value beyond the bar that the product aims for. */
  readonly aim?: string;
  /** False: printed and not judged, such as on a small scale. */
  readonly judged?: boolean;
}

/** Everything a suite has found. */
export interface SuiteReport {
  readonly suite: string;
  readonly verdicts: readonly Verdict[];
  /** What contradicts the product's promises: other answers, lost rows, errors. Fails the run at any scale. */
  readonly faults: readonly string[];
}

/** Whether a verdict is under its bar. */
export function isMissed({ value, bar, judged = true }: Verdict): boolean {
  if (!judged) return false;
  // Nothing measured is not a pass.
  if (Number.isNaN(value)) return true;
  return (bar.least !== undefined && value < bar.least) || (bar.most !== undefined && value > bar.most);
}

/** What each contender did, at the median of the rounds. */
export function contendersTable(samples: ReadonlyMap<string, readonly Sample[]>): string {
  const rows = [...samples].map(([name, list]) => {
    const median = (pick: (sample: Sample) => number) => spreadOf(list.map(pick)).median;
    const rate = spreadOf(list.map(({ perSecond }) => perSecond));
    return [
      name,
      `${whole(rate.median)} (${whole(rate.low)}–${whole(rate.high)})`,
      whole(median((sample) => sample.serverMicros)),
      whole(median((sample) => sample.postgresMicros)),
      whole(median((sample) => sample.generatorMicros)),
      median((sample) => sample.statements).toFixed(2),
      median((sample) => sample.p50Ms).toFixed(1),
      median((sample) => sample.p99Ms).toFixed(1),
      String(list.reduce((sum, sample) => sum + sample.errors, 0)),
    ];
  });
  const heads = ["", "a second (quartiles)", "server µs", "postgres µs", "load µs", "statements", "p50 ms", "p99 ms"];
  return table([[...heads, "errors"], ...rows]);
}

/** The verdicts, one a line. */
export function verdictsTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((verdict) => {
    const { name, value, spread, bar, unit = "", aim = "" } = verdict;
    const limit = bar.least === undefined ? `≤ ${bar.most}${unit}` : `≥ ${bar.least}${unit}`;
    const around = spread ? ` (${short(spread.low)}–${short(spread.high)})` : "";
    const said = verdict.judged === false ? "not judged" : isMissed(verdict) ? "MISSED" : "kept";
    return [name, `${short(value)}${unit}${around}`, limit, aim, said];
  });
  return table([["", "measured (quartiles)", "bar", "aim", ""], ...rows]);
}

function table(rows: readonly (readonly string[])[]): string {
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

const whole = (value: number) => (Number.isNaN(value) ? "–" : Math.round(value).toLocaleString("en"));
const short = (value: number) => (Math.abs(value) >= 20 ? value.toFixed(0) : value.toFixed(2));
