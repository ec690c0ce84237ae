import type { Pool } from "pg";
import type { PgBoss } from "pg-boss";
import { deadLetters, queueNames } from "./job-queues.ts";

/** A job that failed every attempt. */
export interface FailedJob {
  readonly id: string;
  readonly queue: string;
  /** Ids of what the job is about. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly failedAt: Date;
  readonly attempts: number;
  /** Message of the last error; null if the job's process was killed or took too long. */
  readonly reason: string | null;
}

/** State of the job queue. */
export interface JobsReport {
  readonly queues: readonly { readonly name: string; readonly waiting: number; readonly running: number }[];
  /** Oldest first. */
  readonly failed: readonly FailedJob[];
}

/** Returns what waits and runs in each queue, and the jobs that failed every attempt. */
export async function reportJobs(boss: PgBoss, pool: Pool): Promise<JobsReport> {
  const { rows } = await pool.query<{ name: string; waiting: number; running: number }>(
    `select name, count(*) filter (where state < 'active')::int as waiting,
            count(*) filter (where state = 'active')::int as running
       from pgboss.job where state <= 'active' group by name`,
  );
  const failed = await boss.findJobs<Record<string, unknown>>(deadLetters);
  return {
    queues: queueNames.map((name) => rows.find((row) => row.name === name) ?? { name, waiting: 0, running: 0 }),
    failed: failed
      .map((job) => {
        const { traceparent: _, ...data } = job.data;
        return {
          id: job.id,
          queue: job.sourceName ?? deadLetters,
          data,
          // The ORM's pool returns times as text.
          failedAt: new Date(job.createdOn),
          attempts: (job.sourceRetryCount ?? 0) + 1,
          reason: readMessage(job.sourceOutput ?? job.output),
        };
      })
      .toSorted((one, other) => one.failedAt.getTime() - other.failedAt.getTime()),
  };
}

/** Moves jobs that failed every attempt back to their queues, and returns how many. */
export async function retryFailedJobs(boss: PgBoss, ids: readonly string[] | null): Promise<number> {
  const limit = 1_000;
  let total = 0;
  for (let moved = limit; moved === limit; total += moved)
    moved = await boss.redrive(deadLetters, { limit, ...(ids ? { ids: [...ids] } : {}) });
  return total;
}

function readMessage(output: unknown): string | null {
  const message = (output as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : null;
}
