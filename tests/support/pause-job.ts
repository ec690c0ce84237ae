import { writeSync } from "node:fs";
import process from "node:process";
import { pino } from "pino";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { openDatabase } from "#api/app/database.ts";
import { type DatabaseAddress, getPool } from "#api/platform/database/database.ts";
import { createJobs } from "#api/platform/jobs/jobs.ts";

/**
 * Process that claims an email job, prints the email id and never finishes the job. Tests kill it. The argument is the
 * database as JSON.
 */
const orm = await openDatabase(JSON.parse(process.argv[2] ?? "") as DatabaseAddress);
const base = { orm, pool: await getPool(orm.em), log: pino({ level: "silent" }), clock: createMovableClock() };
const jobs = createJobs(base as unknown as Omit<Services, "jobs">, {
  handlers: {
    "deliver-mail": async (_: unknown, { mailId }: { mailId: string }) => {
      writeSync(1, `${mailId}\n`);
      await new Promise(() => {});
    },
  } as never,
  sweeps: [],
});
await jobs.start();
