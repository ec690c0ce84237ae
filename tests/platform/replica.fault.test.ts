import { pino } from "pino";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createReads } from "#api/platform/database/replica.ts";
import { createTestDatabase, openPool } from "#tests/support/test-database.ts";
import { startTcpProxy } from "#tests/support/tcp-proxy.ts";

// A second server would take long to start, so the replica is another database of the same server.
const primary = await createTestDatabase();
const replica = await createTestDatabase();
const proxy = await startTcpProxy({ path: `${replica.host}/.s.PGSQL.${replica.port}` });
const pool = openPool(primary);
const url = `postgres://${replica.user}:${replica.password}@127.0.0.1:${proxy.port}/${replica.dbName}`;
const reads = createReads({ pool, log: pino({ level: "silent" }) }, url, 2);
reads.start();
afterAll(() => reads.close());
beforeEach(() => proxy.set("pass"));

const readFrom = async () => (await reads.query<{ name: string }>("select current_database() as name")).rows[0]?.name;

test("reads from the replica once it has reached the primary", async () => {
  await expect.poll(readFrom, { timeout: 5_000 }).toBe(replica.dbName);
  expect(reads.findReportPool()).not.toBeNull();
});

test.each([
  ["refuse", 2_000],
  ["hang", 7_000],
] as const)(
  "answers from the primary when the replica is lost (%s), and returns to the replica",
  async (mode, limitMs) => {
    await expect.poll(readFrom, { timeout: 10_000 }).toBe(replica.dbName);
    proxy.set(mode);
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 5 }, readFrom));
    expect(new Set(answers)).toEqual(new Set([primary.dbName]));
    expect(performance.now() - startedAt).toBeLessThan(limitMs);
    expect(reads.findReportPool()).toBeNull();
    proxy.set("pass");
    await expect.poll(readFrom, { timeout: 15_000 }).toBe(replica.dbName);
  },
  40_000,
);

test("reports faults of the statement itself without running it again", async () => {
  await expect.poll(readFrom, { timeout: 10_000 }).toBe(replica.dbName);
  await expect(reads.query("select no_such_column")).rejects.toMatchObject({ code: "42703" });
  await sleep(0);
  expect(await readFrom()).toBe(replica.dbName);
}, 20_000);
