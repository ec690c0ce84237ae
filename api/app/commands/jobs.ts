import { formatCount, formatNumber } from "#schema/numbers.ts";
import { describeSpan } from "#api/app/doctor/result.ts";
import { readMachineClock, SECOND } from "#api/platform/clock.ts";
import { AppError } from "#api/platform/errors.ts";
import type { JobsFilter, JobsReport } from "#api/platform/jobs/failed-jobs.ts";
import { queueNames } from "#api/platform/jobs/job-queues.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { printResult } from "./print.ts";

interface JobsListOptions {
  readonly queue?: string;
  readonly limit: number;
  readonly json?: true;
}

interface JobsRetryOptions extends JobsListOptions {
  readonly allFailed?: true;
}

/**
 * Runs `server.js jobs list`.
 * @throws AppError BAD_USER_INPUT for an unknown queue
 */
export async function runJobsList({ json, ...given }: JobsListOptions, loadDevClock: LoadDevClock): Promise<void> {
  const filter = toFilter(given);
  return runWithContext("jobs-list", loadDevClock, async ({ jobs }) => {
    const report = await jobs.report(filter);
    printResult(report, json, describe);
  });
}

/**
 * Runs `server.js jobs retry`. Ids of jobs that aren't failed ones any more are no fault, so the command can be repeated.
 * @throws AppError BAD_USER_INPUT for an unknown queue, and if neither jobs nor all are named, or both
 */
export async function runJobsRetry(
  ids: readonly string[],
  { allFailed, json, ...given }: JobsRetryOptions,
  loadDevClock: LoadDevClock,
): Promise<void> {
  if (ids.length === 0 ? !allFailed : allFailed || given.queue)
    throw new AppError("BAD_USER_INPUT", {
      message:
        "Name the jobs by the ids that `jobs list` prints, or add --all-failed, which --queue and --limit narrow.",
    });
  const filter = toFilter(given);
  const chosen = new Set(ids);
  return runWithContext("jobs-retry", loadDevClock, async ({ jobs }) => {
    const retried = await jobs.retryFailed(allFailed ? filter : { ids: [...chosen] });
    const others = allFailed ? 0 : chosen.size - retried;
    const remark =
      others > 0 ? ` ${formatCount(others, "id")} named no failed job, perhaps because it was retried before.` : "";
    printResult({ retried, unknown: others }, json, () => `${formatCount(retried, "job")} will run again.${remark}\n`);
  });
}

function toFilter({ queue, limit }: JobsListOptions): JobsFilter {
  const name = queueNames.find((one) => one === queue) ?? null;
  if (queue !== undefined && name === null)
    throw new AppError("BAD_USER_INPUT", { message: `There is no queue ${queue}. Queues: ${queueNames.join(", ")}.` });
  return { queue: name, limit };
}

function describe({ queues, failed }: JobsReport): string {
  const width = Math.max(...queues.map(({ name }) => name.length));
  const now = readMachineClock();
  const state = queues.map(({ name, waiting, running, failed: lost, oldestAt }) => {
    const age = oldestAt ? `, the oldest for ${describeSpan((now - oldestAt.getTime()) / SECOND)}` : "";
    return `${name.padEnd(width)}  ${waiting} waiting${age}, ${running} running, ${lost} failed`;
  });
  const faults = failed.map(
    ({ id, queue, data, failedAt, attempts, reason }) =>
      `${id}  ${queue} ${JSON.stringify(data)}\n  ${failedAt.toISOString()} after ${attempts} attempts: ${reason ?? "no answer"}`,
  );
  const total = queues.reduce((sum, queue) => sum + queue.failed, 0);
  const title =
    total === 0
      ? "No job failed every attempt."
      : `Failed every attempt${failed.length < total ? `, the oldest ${failed.length} of ${formatNumber(total)}` : ""}:`;
  return `${[...state, "", title, ...faults].join("\n")}\n`;
}
