import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "#api/platform/context.ts";
import { isDatabaseUnavailable } from "#api/platform/errors.ts";

/** Time between two attempts to reach the database, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Runs a step of the start-up that needs the database. While the database is unavailable, logs a warning and tries again
 * every second.
 * @throws Error for any other reason
 */
export async function retryUntilDatabaseResponds<Result>(
  { log }: Pick<Services, "log">,
  step: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (attempt % 30 === 1) log.warn({ err: error }, "the database is unavailable; trying again every second");
      await sleep(RETRY_MS);
    }
  }
}
