import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { openDatabase } from "#api/app/database.ts";
import { getPool } from "#api/platform/database/database.ts";
import { startJobs } from "#api/platform/jobs/jobs.ts";
import { startProgram } from "#tests/support/programs.ts";
import { createTestDatabase } from "#tests/support/test-database.ts";

const database = await createTestDatabase();

test("runs a job again in another process within a minute after its process is killed", {
  timeout: 70_000,
}, async () => {
  const orm = await openDatabase(database);
  const base = { orm, pool: await getPool(orm.em), log: pino({ level: "silent" }), clock: createMovableClock() };
  const emailId = randomUUID();
  let ranAgain: (id: string) => void = () => {};
  const again = new Promise<string>((resolve) => {
    ranAgain = resolve;
  });
  const services = base as unknown as Omit<Services, "jobs">;
  const work = {
    handlers: {
      "deliver-mail": async (_: unknown, data: { mailId: string }) => ranAgain(data.mailId),
      "sync-payments": async () => {},
      "run-bulk": async () => {},
      "write-report": async () => {},
      "deliver-webhook": async () => {},
      "erase-user": async () => {},
      "move-subscriber": async () => {},
    },
    sweeps: [],
  };

  const adding = await startJobs(services, work, { polling: false });
  await adding.add(orm.em.fork(), "deliver-mail", { mailId: emailId });
  const child = await startProgram("pause-job", [JSON.stringify(database)]);
  const [taken] = (await once(child.stdout, "data")) as [Buffer];
  expect(taken.toString().trim()).toBe(emailId);
  child.kill("SIGKILL");
  await once(child, "exit");

  const jobs = await startJobs(services, work);
  expect(await again).toBe(emailId);
  await jobs.stop();
  await adding.stop();
  await orm.close(true);
});
