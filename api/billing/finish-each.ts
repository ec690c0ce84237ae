import type { Context } from "#api/platform/context.ts";
import { AppError, isDatabaseUnavailable } from "#api/platform/errors.ts";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `finish` for each row of a batch, such as refunds whose request was interrupted. Logs the error of a row and leaves
 * it for the next run, so that it doesn't block the others.
 * @param finish may return false for a row that isn't finished yet
 * @param concurrent number of rows that are finished at the same time
 * @returns the number of finished rows
 * @throws the error if the database or the payment provider is unavailable, because the others would fail too
 */
export async function finishEach<Row extends object>(
  { log }: Pick<Context, "log">,
  rows: readonly Row[],
  finish: (row: Row) => Promise<unknown>,
  concurrent = 1,
): Promise<number> {
  const waiting = rows.values();
  let finished = 0;
  const finishRest = async (): Promise<void> => {
    for (const row of waiting) {
      try {
        if ((await finish(row)) !== false) finished++;
      } catch (error) {
        if (isDatabaseUnavailable(error) || (error instanceof AppError && error.code === "UNAVAILABLE")) throw error;
        log.error({ err: error, row }, "could not finish a row of a batch; it will be tried again");
      }
    }
  };
  await Promise.all(Array.from({ length: concurrent }, finishRest));
  return finished;
}

const RETRY_DELAY_MS = 100;
const MAX_WAIT_MS = 8_000;

/**
 * Waits a few seconds until another request with the same key has finished. Sending the work to the payment provider
 * again would only slow down that request.
 * @param isFinished returns true once the result exists
 */
export async function waitForResult(isFinished: () => Promise<boolean>): Promise<void> {
  const tries = MAX_WAIT_MS / RETRY_DELAY_MS;
  for (let count = 0; count < tries && !(await isFinished()); count++) await sleep(RETRY_DELAY_MS);
}
