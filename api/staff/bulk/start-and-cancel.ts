import { LockMode } from "@mikro-orm/core";
import { DEACTIVATE_WORD } from "#schema/bulk.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { BulkRun } from "./bulk-run.entity.ts";
import { nameOfAdmin, nameOfRun } from "./hold-run.ts";

/**
 * Has the good rows of a checked run carried out in the background. Asked twice, it runs once.
 * @param confirmation what the admin typed; deactivating, which is final, asks for the word.
 * @throws AppError NOT_FOUND, BAD_USER_INPUT for a wrong word, CONFLICT for a run that can't be started (any more).
 */
export async function startRun(context: Context, id: string, confirmation: string): Promise<BulkRun> {
  return withRun(context, id, async (em, run) => {
    if (run.state === "running" || run.state === "done") return;
    if (run.state !== "ready")
      throw new AppError("CONFLICT", {
        message: run.state === "checking" ? "The rows are still being checked." : "This run can't be started any more.",
      });
    if (run.planned === 0)
      throw new AppError("CONFLICT", { message: "There is nothing to do: every row has a fault." });
    if (run.kind === "deactivate-licences" && confirmation.trim() !== DEACTIVATE_WORD)
      throw badInput({ confirmation: [`Type ${DEACTIVATE_WORD} to go on.`] });
    run.state = "running";
    run.startedAt = context.clock.now();
    // Whoever starts it answers for it.
    if (!context.actor) throw new AppError("UNAUTHENTICATED");
    run.createdById = context.actor.userId;
    run.createdByName = await nameOfAdmin(em, run.createdById);
    run.ip = context.origin.ip;
    run.requestId = context.origin.requestId;
    await noteRun(context, em, run, "start-bulk-run");
    await context.jobs.add(em, "run-bulk", { runId: run.id });
  });
}

/**
 * Stops a run behind its present part, or discards one that has not begun. What was done stays done. Asked twice, or
 * of a run that has ended, it changes nothing.
 * @throws AppError NOT_FOUND
 */
export async function cancelRun(context: Context, id: string): Promise<BulkRun> {
  return withRun(context, id, async (em, run) => {
    if (!["checking", "ready", "running"].includes(run.state)) return;
    const wasRunning = run.state === "running";
    run.state = "cancelled";
    run.finishedAt = context.clock.now();
    if (wasRunning) await noteRun(context, em, run, "cancel-bulk-run");
    await context.jobs.add(em, "run-bulk", { runId: run.id });
  });
}

/**
 * Cancels a running run whose starter was archived or made a customer meanwhile, in the transaction of `em`: nobody
 * would answer for the rest.
 */
export async function stopRun(context: Context, em: EntityManager, id: string): Promise<void> {
  const run = await em.findOneOrFail(BulkRun, id);
  run.state = "cancelled";
  run.finishedAt = context.clock.now();
  run.notes = [
    ...run.notes,
    `The run was stopped since ${run.createdByName.replace(/ <.*$/, "")}, who started it, is no longer an admin.`,
  ];
  await noteRun(context, em, run, "cancel-bulk-run");
  await context.jobs.add(em, "run-bulk", { runId: id });
  await em.flush();
}

function withRun(
  context: Context,
  id: string,
  change: (em: EntityManager, run: BulkRun) => Promise<void>,
): Promise<BulkRun> {
  if (!isUuid(id)) throw notFound();
  return inTransaction(context, async (em) => {
    const run = await em.findOne(BulkRun, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!run) throw notFound();
    await change(em as EntityManager, run);
    return run;
  });
}

async function noteRun(
  context: Context,
  em: EntityManager,
  run: BulkRun,
  action: "start-bulk-run" | "cancel-bulk-run",
): Promise<void> {
  const { id, kind, planned, faulty, done, failed } = run;
  await noteChange(context, em, {
    action,
    subject: { type: "bulk-run", id, name: nameOfRun(run) },
    userId: null,
    after: { kind, planned, faulty, done, failed },
  });
}
