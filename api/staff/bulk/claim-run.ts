import { randomUUID } from "node:crypto";
import { bulkKinds, type BulkState } from "#schema/bulk-run.ts";
import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { limitName } from "#api/audit/change-log/record-change.ts";
import { BulkRun } from "./bulk-run.entity.ts";
import { findLabel } from "#schema/closed-list.ts";

/** Time without a sign of life from its worker after which another worker may take over a run, in milliseconds. */
export const CLAIM_DURATION_MS = 15 * SECOND;

/** States in which a run has background work. */
const workingStates: readonly BulkState[] = ["checking", "running", "cancelled"];

/** A worker's exclusive claim on a run, across all processes. */
export interface RunClaim {
  readonly run: BulkRun;
  readonly workerId: string;
}

/**
 * Claims a run for a new worker.
 * @returns null if the run has nothing to do, `"held"` if another worker has claimed it.
 */
export async function claimRun(context: Context, runId: string): Promise<RunClaim | "held" | null> {
  const workerId = randomUUID();
  const now = context.clock.now();
  const em = context.em.fork();
  const [taken] = await query<{ id: string }>(
    em,
    `update bulk_runs set worker_id = $2, worker_until = $3
      where id = $1 and state = any($4) and (worker_id is null or worker_until < $5) returning id`,
    [runId, workerId, addMilliseconds(now, CLAIM_DURATION_MS), workingStates, now],
  );
  const run = await em.findOne(BulkRun, runId);
  if (taken && run) return { run, workerId };
  return run?.workerId && workingStates.includes(run.state) ? "held" : null;
}

/** Releases the run in the transaction of `em`, unless another worker has claimed it in the meantime. */
export async function releaseRun(em: EntityManager, { run, workerId }: RunClaim): Promise<void> {
  await query(em, "update bulk_runs set worker_id = null, worker_until = null where id = $1 and worker_id = $2", [
    run.id,
    workerId,
  ]);
}

/**
 * Executes one batch of a run in its own transaction. The run's row stays locked, so two workers that both believe they
 * have claimed the run can't process the same batch.
 * @returns false, without calling `work`, if another worker has claimed the run or its state has changed.
 */
export async function executeBatch(
  context: Context,
  { run, workerId }: RunClaim,
  work: (em: EntityManager) => Promise<void>,
): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const [held] = await query<{ id: string }>(
      em,
      "update bulk_runs set worker_until = $3 where id = $1 and worker_id = $2 and state = $4 returning id",
      [run.id, workerId, addMilliseconds(context.clock.now(), CLAIM_DURATION_MS), run.state],
    );
    if (!held) return false;
    await work(em as EntityManager);
    return true;
  });
}

/** Formats the name of a run for the audit log, such as `Import users: staff.csv`. */
export function formatRunName({ kind, fileName }: BulkRun): string {
  return limitName(fileName ? `${findLabel(bulkKinds, kind)}: ${fileName}` : findLabel(bulkKinds, kind));
}
