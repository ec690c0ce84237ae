import { setTimeout as sleep } from "node:timers/promises";

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
