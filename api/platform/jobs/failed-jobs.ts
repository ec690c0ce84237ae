import type { ClientBase, Pool } from "pg";
import type { PgBoss } from "pg-boss";
import { deadLetters, type QueueName, queueNames } from "./job-queues.ts";

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

/** A queue of jobs. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  /** Jobs that failed every attempt. */
  readonly failed: number;
  /** Time since which the oldest due job waits; null if none waits. */
  readonly oldestAt: Date | null;
}

/** State of the job queue. */
export interface JobsReport {
  readonly queues: readonly QueueState[];
  /** Oldest first. */
  readonly failed: readonly FailedJob[];
}

/** Failed jobs to show. */
export interface JobsFilter {
  /** Only jobs of this queue; null for all. */
  readonly queue?: QueueName | null;
  /** Most failed jobs to return. */
  readonly limit: number;
}

/** Failed jobs to run again: those of the ids, or the oldest of all or of a queue. */
export type JobsChoice = { readonly ids: readonly string[] } | JobsFilter;

/** Returns what waits and runs in each queue, and the oldest jobs that failed every attempt. */
export async function reportJobs(
  database: Pick<Pool | ClientBase, "query">,
  { queue = null, limit }: JobsFilter,
): Promise<JobsReport> {
  // The ORM's pool returns times as text.
  const { rows } = await database.query<Omit<QueueState, "oldestAt"> & { oldestAt: Date | string | null }>(
    `select coalesce(case when name = $1 then source_name else name end, $1) as name,
            count(*) filter (where state < 'active' and name <> $1)::int as waiting,
            count(*) filter (where state = 'active' and name <> $1)::int as running,
            count(*) filter (where name = $1)::int as failed,
            min(greatest(created_on, start_after))
              filter (where state < 'active' and name <> $1 and start_after <= now()) as "oldestAt"
       from pgboss.job where state <= 'active' group by 1`,
    [deadLetters],
  );
  const failed = await database.query<Omit<FailedJob, "failedAt" | "reason"> & { failedAt: Date; output: unknown }>(
    `select id, coalesce(source_name, $1) as queue, data - 'traceparent' as data, created_on as "failedAt",
            coalesce(source_retry_count, 0) + 1 as attempts, coalesce(source_output, output) as output
       from pgboss.job
      where name = $1 and state < 'active' and ($2::text is null or source_name = $2)
      order by created_on, id limit $3`,
    [deadLetters, queue, limit],
  );
  return {
    queues: queueNames
      .filter((name) => queue === null || name === queue)
      .map((name) => {
        const found = rows.find((row) => row.name === name);
        if (!found) return { name, waiting: 0, running: 0, failed: 0, oldestAt: null };
        return { ...found, oldestAt: found.oldestAt === null ? null : new Date(found.oldestAt) };
      }),
    failed: failed.rows.map(({ output, failedAt, ...job }) => ({
      ...job,
      failedAt: new Date(failedAt),
      reason: readMessage(output),
    })),
  };
}

/**
 * Moves jobs that failed every attempt back to their queues, and returns how many. A job that was moved before isn't a failed
 * one any more, so a second call moves nothing twice.
 */
export async function retryFailedJobs(boss: PgBoss, choice: JobsChoice): Promise<number> {
  const most = 1_000;
  const limit = "ids" in choice ? choice.ids.length : choice.limit;
  const filter = "ids" in choice ? { ids: [...choice.ids] } : choice.queue ? { sourceName: choice.queue } : {};
  let total = 0;
  while (total < limit) {
    const batch = Math.min(most, limit - total);
    const moved = await boss.redrive(deadLetters, { limit: batch, ...filter });
    total += moved;
    if (moved < batch) break;
  }
  return total;
}

function readMessage(output: unknown): string | null {
  const message = (output as { message?: unknown } | null)?.message;
  return typeof message === "string" ? message : null;
}
