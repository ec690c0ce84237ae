import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "#tests/support/server-process.ts";
import { compareList, compareNested } from "./admin/compare-admin.ts";
import { compareAmounts } from "./compare-amounts.ts";
import { compareContest } from "./compare-contest.ts";
import { heartbeat, validation } from "./contests.ts";
import { createData } from "./data.ts";
import { compareHello } from "./graphql/compare-hello.ts";
import { type Ground, prepareGround } from "./ground.ts";
import { findLoadGenerator, isInstalled, ownGenerator } from "./load/load.ts";
import { pgbenchScript } from "./load/pgbench.ts";
import { BenchError, readOptions } from "./options.ts";
import { isMissed } from "./report.ts";
import { compareBeside } from "./reports/compare-beside.ts";
import { compareCsv, compareWorkbook } from "./reports/compare-reports.ts";
import { type Contender, ratiosOf, runRounds, type Sample, spreadOf } from "./rounds.ts";
import type { Bench } from "./suite.ts";

// What the bench measures is judged by `npm run bench` on a quiet machine; here, that it measures the right thing.
const TIME_LIMIT_MS = 180_000;
// Few at a time: on a busy machine 64 would wait for a connection to the database until they are turned away.
const options = {
  ...readOptions("--scale 0.001 --rounds 1 --seconds 1 --connections 8".split(" "), []),
  warmUp: false,
};
/** For suites in which it is enough that every contender has answered. */
const briefly = (full: Bench): Bench => ({
  ...full,
  options: { ...options, seconds: 0.2 },
  generator: ownGenerator,
});

let ground: Ground;
let product: string;
let bench: Bench;
const said: string[] = [];

beforeAll(async () => {
  [product, ground] = await Promise.all([bundle(), prepareGround(options)]);
  const say = (text: string) => said.push(text);
  const data = createData(ground, options.scale, say);
  const hasPgbench = isInstalled("pgbench");
  bench = {
    options,
    ground,
    data,
    generator: findLoadGenerator(),
    product: join(product, "server.js"),
    hasPgbench,
    say,
  };
}, TIME_LIMIT_MS);

afterAll(async () => {
  await ground?.remove();
  if (product) rmSync(product, { recursive: true, force: true });
});

test.each([validation, heartbeat])(
  "$name: product, statement and plain server answer alike, and every answer is stored",
  async (contest) => {
    said.length = 0;
    const report = await compareContest(contest)(bench);
    expect(report.faults).toEqual([]);
    expect(said).toContain("equal answers, proofs verified");
    expect(said).toContain("1000 stored for 1000 answers VALID of 1000, each of them read");
    const measured = report.verdicts.filter(({ bar }) => bar.least !== undefined).map(({ value }) => value);
    expect(measured).toHaveLength(bench.hasPgbench ? 2 : 1);
    for (const ratio of measured) expect(ratio).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test(
  "the same is asked with few and with many events",
  async () => {
    const report = await compareAmounts(briefly(bench));
    expect(report.faults).toEqual([]);
    expect(report.verdicts[0]?.value).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test(
  "a signed-in hello goes by sign-in and the session's check",
  async () => {
    const report = await compareHello({ ...bench, generator: ownGenerator });
    expect(report.faults).toEqual([]);
    // Less than Fastify's hello alone would be no GraphQL, and nobody's session.
    expect(report.verdicts[0]?.value).toBeGreaterThan(1);
  },
  TIME_LIMIT_MS,
);

test.each([
  ["admin/nested", compareNested],
  ["admin/list", compareList],
])(
  "%s: the product and PostGraphile answer admins alike",
  async (_name, suite) => {
    const report = await suite(briefly(bench));
    expect(report.faults).toEqual([]);
    expect(report.verdicts.length).toBeGreaterThan(1);
  },
  TIME_LIMIT_MS,
);

test.each([
  ["report/csv", compareCsv],
  ["report/xlsx", compareWorkbook],
  ["report/beside", compareBeside],
])(
  "%s: the rows that psql copies, and nothing fails beside them",
  async (_name, suite) => {
    const report = await suite(bench);
    expect(report.faults).toEqual([]);
    expect(report.verdicts[0]?.value).toBeGreaterThan(0);
  },
  TIME_LIMIT_MS,
);

test("nobody is measured while PostgreSQL still works for the one before", async () => {
  await ground.createDatabase("rest");
  const [database, other] = await Promise.all([ground.connect("rest"), ground.connect("rest")]);
  const underWay = new Set<Promise<unknown>>();
  const begun: number[] = [];
  const contender = (name: string): Contender => ({
    name,
    pid: null,
    database,
    // Asks, and goes before it is answered.
    run: () => {
      begun.push(underWay.size);
      const asked = other.query("select pg_sleep(0.3)").finally(() => underWay.delete(asked));
      underWay.add(asked);
      return Promise.resolve({ requests: 1, warmUps: 0, seconds: 0, errors: 0, p50Ms: 0, p99Ms: 0 });
    },
  });
  await runRounds([contender("one"), contender("another")], { rounds: 2, seconds: 0, warmUp: false }, () => {});
  expect(begun).toEqual([0, 0, 0, 0]);
});

describe("what is printed", () => {
  const sample = (perSecond: number) => ({ perSecond }) as Sample;

  test("a ratio is the median over the rounds, each with its own reference", () => {
    const above = [100, 10, 400].map(sample);
    const below = [100, 20, 200].map(sample);
    expect(ratiosOf(above, below)).toEqual({ low: 0.75, median: 1, high: 1.5 });
    expect(spreadOf([4, 1, 3, 2])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
  });

  test("a bar is missed below its least, above its most, and when nothing was measured", () => {
    const verdict = (value: number, bar: { least?: number; most?: number }) => isMissed({ name: "", value, bar });
    expect(verdict(0.34, { least: 0.35 })).toBe(true);
    expect(verdict(0.35, { least: 0.35 })).toBe(false);
    expect(verdict(1.31, { most: 1.3 })).toBe(true);
    expect(verdict(1.3, { most: 1.3 })).toBe(false);
    expect(verdict(Number.NaN, { most: 1.3 })).toBe(true);
    expect(isMissed({ name: "", value: 60, bar: { most: 50 }, judged: false })).toBe(false);
  });
});

describe("what is asked for", () => {
  test("an unknown suite or a number that is none is refused in a sentence", () => {
    expect(() => readOptions(["licence/valdate"], ["licence/validate"])).toThrow(
      new BenchError("There is no suite licence/valdate; there are licence/validate."),
    );
    expect(() => readOptions(["--scale", "big"], [])).toThrow("--scale must be a number from 0.0001 to 10.");
    expect(() => readOptions(["--rounds", "0"], [])).toThrow("--rounds must be a number from 1 to 100.");
  });

  test("pgbench gets the statement with its one parameter, or none", () => {
    expect(pgbenchScript("select $1::jsonb", 7)).toBe(
      "\\set n random(1, 7)\nselect (select question from bench.questions where n = :n)::jsonb;\n",
    );
    expect(() => pgbenchScript("select $1, $2", 7)).toThrow("one parameter");
    expect(() => pgbenchScript("select $1, ':name'", 7)).toThrow("for a name");
  });
});
