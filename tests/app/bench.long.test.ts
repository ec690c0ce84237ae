import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPrograms } from "#tests/support/programs.ts";
import { compareList, compareNested } from "#bench/admin/compare-admin.ts";
import { compareAmounts } from "#bench/compare-amounts.ts";
import { compareContest } from "#bench/compare-contest.ts";
import { heartbeat, validation } from "#bench/contests.ts";
import { createData } from "#bench/data.ts";
import { compareHello } from "#bench/graphql/compare-hello.ts";
import { type BenchEnvironment, prepareEnvironment } from "#bench/environment.ts";
import { findLoadGenerator, isInstalled, nodeGenerator } from "#bench/load/load.ts";
import { pgbenchScript } from "#bench/load/pgbench.ts";
import { BenchError, readOptions } from "#bench/options.ts";
import { isMissed } from "#bench/report.ts";
import { compareDuringReport } from "#bench/reports/compare-during-report.ts";
import { compareCsv, compareWorkbook } from "#bench/reports/compare-reports.ts";
import { type Contender, calculateRatios, runRounds, type Sample, calculateSpread } from "#bench/rounds.ts";
import type { Bench } from "#bench/suite.ts";

// `npm run bench` checks the limits on a quiet machine. These tests check that it measures correctly.
const TIME_LIMIT_MS = 180_000;
// Use few connections: on a busy machine, 64 would wait for a database connection until they are rejected.
const options = {
  ...readOptions("--scale 0.001 --rounds 1 --seconds 1 --connections 8".split(" "), []),
  warmUp: false,
};
/** Shortens a run for suites whose tests only need a response from every contender. */
const shortenRun = (full: Bench): Bench => ({
  ...full,
  options: { ...options, seconds: 0.2 },
  generator: nodeGenerator,
});

let environment: BenchEnvironment;
let bench: Bench;
const said: string[] = [];

beforeAll(async () => {
  const [product, prepared] = await Promise.all([buildPrograms(), prepareEnvironment(options)]);
  environment = prepared;
  const print = (text: string) => said.push(text);
  const data = createData(environment, options.scale, print);
  const hasPgbench = isInstalled("pgbench");
  bench = {
    options,
    environment,
    data,
    generator: findLoadGenerator(),
    product: join(product, "server.js"),
    hasPgbench,
    print,
  };
}, TIME_LIMIT_MS);

afterAll(() => environment?.remove());

test.each([validation, heartbeat])(
  "$name gets the same responses from the product, its statement and the plain server, and stores each one",
  async (contest) => {
    said.length = 0;
    const report = await compareContest(contest)(bench);
    expect(report.faults).toEqual([]);
    expect(said).toContain("equal responses, proofs verified");
    expect(said).toContain("1000 events stored for 1000 VALID responses to 1000 requests");
    const measured = report.verdicts.filter(({ limit }) => limit.least !== undefined).map(({ value }) => value);
    expect(measured).toHaveLength(bench.hasPgbench ? 2 : 1);
    for (const ratio of measured) expect(ratio).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test(
  "compares requests with few and with many events in the history",
  async () => {
    const report = await compareAmounts(shortenRun(bench));
    expect(report.faults).toEqual([]);
    expect(report.verdicts[0]?.value).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test(
  "includes the session check when it measures a signed-in query",
  async () => {
    const report = await compareHello({ ...bench, generator: nodeGenerator });
    expect(report.faults).toEqual([]);
    // A cost below plain Fastify's would mean that GraphQL or the session check didn't run.
    expect(report.verdicts[0]?.value).toBeGreaterThan(1);
  },
  TIME_LIMIT_MS,
);

test.each([
  ["admin/nested", compareNested],
  ["admin/list", compareList],
])(
  "%s gets the same results from the product and PostGraphile",
  async (_name, suite) => {
    const report = await suite(shortenRun(bench));
    expect(report.faults).toEqual([]);
    expect(report.verdicts.length).toBeGreaterThan(1);
  },
  TIME_LIMIT_MS,
);

test.each([
  ["report/csv", compareCsv],
  ["report/xlsx", compareWorkbook],
  ["report/beside", compareDuringReport],
])(
  "%s returns the same rows as psql without errors",
  async (_name, suite) => {
    const report = await suite(shortenRun(bench));
    expect(report.faults).toEqual([]);
    expect(report.verdicts[0]?.value).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test("doesn't measure a contender while PostgreSQL is still working for the previous one", async () => {
  await environment.createDatabase("rest");
  const [database, other] = await Promise.all([environment.connect("rest"), environment.connect("rest")]);
  const running = new Set<Promise<unknown>>();
  const runningAtStart: number[] = [];
  const contender = (name: string): Contender => ({
    name,
    pid: null,
    database,
    // Sends a statement and returns before it finishes.
    run: () => {
      runningAtStart.push(running.size);
      const statement = other.query("select pg_sleep(0.3)").finally(() => running.delete(statement));
      running.add(statement);
      return Promise.resolve({ requests: 1, warmUps: 0, seconds: 0, errors: 0, p50Ms: 0, p99Ms: 0 });
    },
  });
  await runRounds([contender("one"), contender("another")], { rounds: 2, seconds: 0, warmUp: false }, () => {});
  expect(runningAtStart).toEqual([0, 0, 0, 0]);
});

test("calculates the median and spread of samples, and of the ratio in each round", () => {
  const sample = (perSecond: number) => ({ perSecond }) as Sample;
  const [above, below] = [[100, 10, 400].map(sample), [100, 20, 200].map(sample)];
  expect(calculateRatios(above, below)).toEqual({ low: 0.75, median: 1, high: 1.5 });
  expect(calculateSpread([4, 1, 3, 2])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
});

test("misses a limit if the result is below its minimum, above its maximum or not measured", () => {
  const verdict = (value: number, limit: { least?: number; most?: number }) => isMissed({ name: "", value, limit });
  expect(verdict(0.34, { least: 0.35 })).toBe(true);
  expect(verdict(0.35, { least: 0.35 })).toBe(false);
  expect(verdict(1.31, { most: 1.3 })).toBe(true);
  expect(verdict(1.3, { most: 1.3 })).toBe(false);
  expect(verdict(Number.NaN, { most: 1.3 })).toBe(true);
  expect(isMissed({ name: "", value: 60, limit: { most: 50 }, isChecked: false })).toBe(false);
});

describe("options", () => {
  test("are rejected with a message if a suite is unknown or a number is invalid", () => {
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
});
