import { expect, test } from "vitest";
import { pgbenchScript } from "#bench/load/pgbench.ts";
import { BenchError, readOptions } from "#bench/options.ts";
import { isMissed } from "#bench/report.ts";
import { calculateRatios, calculateSpread, type Sample } from "#bench/rounds.ts";

// `npm run bench` compares the answers of its contenders before it measures, and checks the limits on a quiet machine.
test("calculates the median and spread of samples, and of the ratio in each round", () => {
  const sample = (perSecond: number) => ({ perSecond }) as Sample;
  const [above, below] = [[100, 10, 400].map(sample), [100, 20, 200].map(sample)];
  expect(calculateRatios(above, below)).toEqual({ low: 0.75, median: 1, high: 1.5 });
  expect(calculateSpread([4, 1, 3, 2])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
});

test("misses a limit if the result is below its minimum, above its maximum or not measured", () => {
  const verdict = (value: number, limit: { least?: number; most?: number }) => isMissed({ name: "", value, limit });
  expect([verdict(0.34, { least: 0.35 }), verdict(0.35, { least: 0.35 })]).toEqual([true, false]);
  expect([verdict(1.31, { most: 1.3 }), verdict(1.3, { most: 1.3 })]).toEqual([true, false]);
  expect(verdict(Number.NaN, { most: 1.3 })).toBe(true);
  expect(isMissed({ name: "", value: 60, limit: { most: 50 }, isChecked: false })).toBe(false);
});

test("rejects options with a message if a suite is unknown or a number is invalid", () => {
  expect(() => readOptions(["licence/valdate"], ["licence/validate"])).toThrow(
    new BenchError("Unknown suite licence/valdate. Available suites: licence/validate."),
  );
  expect(() => readOptions(["--scale", "big"], [])).toThrow("--scale must be a number from 0.0001 to 10.");
  expect(() => readOptions(["--rounds", "0"], [])).toThrow("--rounds must be a number from 1 to 100.");
});

test("builds a pgbench script for a statement with one parameter", () => {
  expect(pgbenchScript("select $1::jsonb", 7)).toBe(
    "\\set n random(1, 7)\nselect (select question from bench.questions where n = :n)::jsonb;\n",
  );
  expect(() => pgbenchScript("select $1, $2", 7)).toThrow("one parameter");
  expect(() => pgbenchScript("select $1, ':name'", 7)).toThrow("as a variable");
});
