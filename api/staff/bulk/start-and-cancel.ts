import { DEACTIVATE_WORD } from "#schema/bulk-run.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { getActorName, recordChange } from "#api/audit/change-log/record-change.ts";
import { BulkRun } from "./bulk-run.entity.ts";
import { formatRunName } from "./claim-run.ts";

/**
 * Starts processing the valid rows of a checked run in the background. Does nothing if the run has already started.
 * @param confirmation the word the admin typed to confirm a deactivation.
 * @throws AppError NOT_FOUND, BAD_USER_INPUT if the word is wrong, CONFLICT if the run can't be started.
 */
export async function startRun(context: Context, id: string, confirmation: string): Promise<BulkRun> {
  return changeRun(context, id, async (em, run) => {
    if (run.state === "running" || run.state === "done") return;
    if (run.state !== "ready")
      throw conflict(
        run.state === "checking" ? "The rows are still being checked." : "This run can no longer be started.",
      );
    if (run.planned === 0) throw conflict("Every row has errors, so there is nothing to process.");
    if (run.kind === "deactivate-licences" && confirmation.trim() !== DEACTIVATE_WORD)
      throw badInput({ confirmation: [`Type ${DEACTIVATE_WORD} to continue.`] });
    run.state = "running";
    run.startedAt = context.clock.now();
    // The admin who starts the run is responsible for its changes.
    run.createdById = getCallerId(context);
    run.createdByName = await getActorName(em, run.createdById);
    run.ip = context.origin.ip;
    run.requestId = context.origin.requestId;
    await recordRunChange(context, em, run, "start-bulk-run");
    await context.jobs.add(em, "run-bulk", { runId: run.id });
  });
}

/**
 * Stops a run after its current batch, or discards a run that hasn't started. Processed rows keep their changes. Does
 * nothing if the run has ended.
 * @throws AppError NOT_FOUND
 */
export async function cancelRun(context: Context, id: string): Promise<BulkRun> {
  return changeRun(context, id, async (em, run) => {
    if (!["checking", "ready", "running"].includes(run.state)) return;
    const wasRunning = run.state === "running";
    run.state = "cancelled";
    run.finishedAt = context.clock.now();
    if (wasRunning) await recordRunChange(context, em, run, "cancel-bulk-run");
    await context.jobs.add(em, "run-bulk", { runId: run.id });
  });
}

/**
 * Cancels a run that is in progress, in the transaction of `em`, and notes the reason. Call it if the admin who started the
 * run was archived or demoted, or lost the role support, because no one would be responsible for the remaining changes, and
 * for a run that no job could finish.
 */
export async function stopRun(
  context: Context,
  em: EntityManager,
  id: string,
  explain: (run: BulkRun) => string,
): Promise<void> {
  const run = await em.findOneOrFail(BulkRun, id);
  run.state = "cancelled";
  run.finishedAt = context.clock.now();
  run.notes = [...run.notes, `The run was stopped because ${explain(run)}.`];
  await recordRunChange(context, em, run, "cancel-bulk-run");
  await context.jobs.add(em, "run-bulk", { runId: id });
  await em.flush();
}

function changeRun(
  context: Context,
  id: string,
  change: (em: EntityManager, run: BulkRun) => Promise<void>,
): Promise<BulkRun> {
  return inTransaction(context, async (em) => {
    const run = await lockRow(em, BulkRun, id);
    await change(em as EntityManager, run);
    return run;
  });
}

async function recordRunChange(
  context: Context,
  em: EntityManager,
  run: BulkRun,
  action: "start-bulk-run" | "cancel-bulk-run",
): Promise<void> {
  const { id, kind, planned, faulty, done, failed } = run;
  await recordChange(context, em, {
    action,
    subject: { type: "bulk-run", id, name: formatRunName(run) },
    userId: null,
    bulkRunId: id,
    after: { kind, planned, faulty, done, failed },
  });
}
