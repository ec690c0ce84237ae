import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import type { Services } from "#api/platform/context.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { openDatabase } from "#api/app/database.ts";
import { type EntityManager, getPool } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { createJobs, type Jobs, type JobsOptions } from "#api/platform/jobs/jobs.ts";
import { startProgram } from "#tests/support/programs.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";

const database = await createTestDatabase();
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Handler = (emailId: string) => Promise<void> | void;

/** Connects another process to the queue. That process runs `handler` for emails. */
async function joinQueue(
  handler: Handler,
  options: JobsOptions & { sweeps?: Sweep[]; isPooled?: boolean } = {},
): Promise<{ jobs: Jobs; em: EntityManager }> {
  const orm = await openDatabase(database, undefined, options.isPooled);
  cleanups.push(() => orm.close(true));
  const base = { orm, pool: await getPool(orm.em), log: pino({ level: "silent" }), clock: createMovableClock() };
  const jobs = createJobs(
    base as unknown as Omit<Services, "jobs">,
    {
      handlers: { "deliver-mail": async (_: unknown, { mailId }: { mailId: string }) => handler(mailId) } as never,
      sweeps: options.sweeps ?? [],
    },
    options,
  );
  await jobs.start();
  cleanups.push(() => jobs.stop());
  return { jobs, em: orm.em };
}

const until = (condition: () => boolean | Promise<boolean>) => vi.waitUntil(condition, { timeout: 60_000 });

test.each([
  ["", false],
  [" behind a pooler", true],
])("doesn't run a job before its transaction has committed%s", async (_where, isPooled) => {
  const ran: string[] = [];
  const { jobs, em } = await joinQueue((id) => void ran.push(id), { polling: false, isPooled });
  const emailId = randomUUID();
  await em.fork().transactional(async (tx) => {
    await jobs.add(tx, "deliver-mail", { mailId: emailId });
    expect(await jobs.drain()).toBe(0);
  });
  expect(await jobs.drain()).toBe(1);
  expect(ran).toEqual([emailId]);
});

test("retries a failed job after a few seconds", async () => {
  let attempts = 0;
  const { jobs, em } = await joinQueue(() => {
    attempts++;
    if (attempts === 1) throw new Error("not yet");
  });
  await jobs.add(em.fork(), "deliver-mail", { mailId: randomUUID() });
  await until(() => attempts === 2);
});

test("runs each job once even with several processes", async () => {
  const ran: string[] = [];
  const runSlowly = async (id: string) => {
    await sleep(5);
    ran.push(id);
  };
  const joined = [joinQueue(runSlowly), joinQueue(runSlowly), joinQueue((id) => void ran.push(id))] as const;
  const [{ jobs, em }] = await Promise.all(joined);
  const ids = Array.from({ length: 40 }, () => randomUUID());
  await Promise.all(ids.map((emailId) => jobs.add(em.fork(), "deliver-mail", { mailId: emailId })));
  await until(() => ran.length >= ids.length);
  await sleep(600);
  expect(ran.toSorted()).toEqual(ids.toSorted());
});

test("runs a sweep in one process at a time until nothing is due", async () => {
  let running = 0;
  let most = 0;
  let due = 3;
  const sweep: Sweep = {
    name: "count-down",
    everySeconds: 1,
    async run() {
      most = Math.max(most, ++running);
      await sleep(50);
      running--;
      return due > 0 ? due-- : 0;
    },
  };
  await Promise.all([joinQueue(() => {}, { sweeps: [sweep] }), joinQueue(() => {}, { sweeps: [sweep] })]);
  await until(() => due === 0);
  expect(most).toBe(1);
});

test("runs all sweeps on request even if one of them fails", async () => {
  let done = 0;
  const failing: Sweep = {
    name: "failing",
    everySeconds: 60,
    run: async () => {
      throw new Error("broken");
    },
  };
  const working: Sweep = { name: "working", everySeconds: 60, run: async () => (done++ < 2 ? 1 : 0) };
  const { jobs } = await joinQueue(() => {}, { polling: false, sweeps: [failing, working] });
  await expect(jobs.runSweeps()).rejects.toThrow(AggregateError);
  expect(done).toBe(3);
});

test("keeps running jobs after losing all connections", async () => {
  const ran: string[] = [];
  const { jobs, em } = await joinQueue((id) => void ran.push(id));
  for (let round = 0; round < 3; round++) {
    const pool = await getPool(em);
    await pool
      .query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()")
      .catch(() => {});
    const emailId = randomUUID();
    await until(() =>
      jobs.add(em.fork(), "deliver-mail", { mailId: emailId }).then(
        () => true,
        () => false,
      ),
    );
    await until(() => ran.includes(emailId));
  }
});

test("runs a job again in another process within a minute after its process is killed", {
  timeout: 70_000,
}, async () => {
  const emailId = randomUUID();
  const { jobs, em } = await joinQueue(() => {}, { polling: false });
  await jobs.add(em.fork(), "deliver-mail", { mailId: emailId });
  const child = await startProgram("pause-job", [JSON.stringify(database)]);
  expect(((await once(child.stdout, "data")) as [Buffer])[0].toString().trim()).toBe(emailId);
  child.kill("SIGKILL");
  await once(child, "exit");
  const ran: string[] = [];
  await joinQueue((id) => void ran.push(id));
  await expect.poll(() => ran, { timeout: 70_000 }).toEqual([emailId]);
});

test("waits for a running job when stopping", async () => {
  let finished = false;
  let started = false;
  const { jobs, em } = await joinQueue(async () => {
    started = true;
    await sleep(300);
    finished = true;
  });
  await jobs.add(em.fork(), "deliver-mail", { mailId: randomUUID() });
  await until(() => started);
  await jobs.stop();
  expect(finished).toBe(true);
});
