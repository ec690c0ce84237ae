import process from "node:process";
import type { JobsReport } from "#api/platform/jobs/failed-jobs.ts";
import { AppError } from "#api/platform/errors.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";

/** Runs `server.js jobs list`. */
export async function runJobsList({ json }: { readonly json?: true }, loadDevClock: LoadDevClock): Promise<void> {
  return runWithContext("jobs-list", loadDevClock, async ({ jobs }) => {
    const report = await jobs.report();
    process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : describe(report));
  });
}

/**
 * Runs `server.js jobs retry`.
 * @throws AppError NOT_FOUND if an id is not of a job that failed every attempt
 */
export async function runJobsRetry(
  ids: readonly string[],
  { json, all }: { readonly json?: true; readonly all?: true },
  loadDevClock: LoadDevClock,
): Promise<void> {
  if (ids.length === 0 && !all)
    throw new AppError("BAD_USER_INPUT", {
      message: "Name the jobs by the ids that `jobs list` prints, or add --all.",
    });
  return runWithContext("jobs-retry", loadDevClock, async ({ jobs }) => {
    const known = new Set((await jobs.report()).failed.map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown) throw new AppError("NOT_FOUND", { message: `No failed job has the id ${unknown}.` });
    const retried = await jobs.retryFailed(all ? null : ids);
    process.stdout.write(json ? `${JSON.stringify({ retried })}\n` : `${retried} jobs wait to run again.\n`);
  });
}

function describe({ queues, failed }: JobsReport): string {
  const width = Math.max(...queues.map(({ name }) => name.length));
  const state = queues.map(
    ({ name, waiting, running }) => `${name.padEnd(width)}  ${waiting} waiting, ${running} running`,
  );
  const faults = failed.map(
    ({ id, queue, data, failedAt, attempts, reason }) =>
      `${id}  ${queue} ${JSON.stringify(data)}\n  ${failedAt.toISOString()} after ${attempts} attempts: ${reason ?? "no answer"}`,
  );
  return `${[...state, "", failed.length === 0 ? "No job failed every attempt." : "Failed every attempt:", ...faults].join("\n")}\n`;
}
