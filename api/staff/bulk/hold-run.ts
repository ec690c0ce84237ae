import { randomUUID } from "node:crypto";
import { bulkKinds, type BulkState } from "#schema/bulk.ts";
import { after, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { BulkRun } from "./bulk-run.entity.ts";

/** A worker that is not heard of for this long has been killed: another one may take its run. */
export const HOLD_MS = 15 * SECOND;

/** States in which a run has work for the background. */
const workingStates: readonly BulkState[] = ["checking", "running", "cancelled"];

/** A worker's hold on a run: over all processes, one worker has it. */
export interface Hold {
  readonly run: BulkRun;
  readonly workerId: string;
}

/**
 * Takes a run for a new worker.
 * @returns null when the run has nothing to do, `"held"` when another worker is at it.
 */
export async function takeRun(context: Context, runId: string): Promise<Hold | "held" | null> {
  const workerId = randomUUID();
  const now = context.clock.now();
  const em = context.em.fork();
  const [taken] = await query<{ id: string }>(
    em,
    `update bulk_runs set worker_id = $2, worker_until = $3
      where id = $1 and state = any($4) and (worker_id is null or worker_until < $5) returning id`,
    [runId, workerId, after(now, HOLD_MS), workingStates, now],
  );
  const run = await em.findOne(BulkRun, runId);
  if (taken && run) return { run, workerId };
  return run?.workerId && workingStates.includes(run.state) ? "held" : null;
}

/** Lets the run go, in the transaction of `em`; nothing when another worker has it by now. */
export async function letGo(em: EntityManager, { run, workerId }: Hold): Promise<void> {
  await query(em, "update bulk_runs set worker_id = null, worker_until = null where id = $1 and worker_id = $2", [
    run.id,
    workerId,
  ]);
}

/**
 * Does one part of a run in a transaction of its own. The run's row is locked meanwhile, so that of two workers who
 * both believe that they have it only one does the part: what it marks as done is what it did.
 * @returns false, with nothing done, once the run is another worker's or in another state than it was taken in.
 */
export async function doPart(
  context: Context,
  { run, workerId }: Hold,
  work: (em: EntityManager) => Promise<void>,
): Promise<boolean> {
  return inTransaction(context, async (em) => {
    const [still] = await query<{ id: string }>(
      em,
      "update bulk_runs set worker_until = $3 where id = $1 and worker_id = $2 and state = $4 returning id",
      [run.id, workerId, after(context.clock.now(), HOLD_MS), run.state],
    );
    if (!still) return false;
    await work(em as EntityManager);
    return true;
  });
}

/** Name and address of the admin who answers for a run, as the audit log writes them. */
export async function nameOfAdmin(em: EntityManager, id: string): Promise<string> {
  const [admin] = await query<{ name: string }>(
    em,
    "select first_name || ' ' || last_name || ' <' || email || '>' as name from users where id = $1",
    [id],
  );
  return (admin?.name ?? "Unknown").slice(0, 255);
}

/** What a run is called in the audit log: `Import users: staff.csv`. */
export function nameOfRun({ kind, fileName }: BulkRun): string {
  return fileName ? `${bulkKinds[kind]}: ${fileName}`.slice(0, 255) : bulkKinds[kind];
}
