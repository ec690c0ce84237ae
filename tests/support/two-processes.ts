import { pino } from "pino";
import type { Config } from "#api/platform/config.ts";
import { type Actor, type Context, createContext, type Services } from "#api/platform/context.ts";
import type { JobsOptions } from "#api/platform/jobs/jobs.ts";
import { closeServices } from "#api/app/services.ts";
import { retryUntilServed } from "./retry.ts";
import { sendRequest } from "./send-request.ts";
import type { TestApp } from "./test-app.ts";
import { openTestServices } from "./test-services.ts";
import { whenDone } from "./when-done.ts";
import { startApp } from "./worker-app.ts";

/**
 * Opens the services of a second process on the same database, with a separate pool and the settings of the first one plus
 * `changes`. It runs no jobs unless `jobs` enables polling.
 */
export async function openSecondProcess(
  test: TestApp,
  changes: Partial<Config> = {},
  jobs: JobsOptions = { polling: false },
  own: Partial<Pick<Services, "clock" | "log">> = {},
): Promise<Services> {
  const { clock } = test.services;
  const config = { ...test.services.config, ...changes };
  const given = { log: pino({ level: "silent" }), clock, ...own };
  const services = await openTestServices(config, test.database, given, { payments: test.services.payments, jobs });
  whenDone(() => closeServices(services));
  return services;
}

/**
 * Opens a second process. Returns a function that creates contexts of a caller in both processes: in one of them by a number, or
 * alternately.
 */
export async function alternateContexts(
  test: TestApp,
  actor: Actor | null = null,
): Promise<(turn?: number) => Context> {
  const other = await openSecondProcess(test);
  let turns = 0;
  return (turn = turns++) => createContext(turn % 2 ? other : test.services, { actor });
}

/**
 * Starts a second app on the same database with a separate pool. Returns a function that sends requests to both apps
 * alternately, so that state in the memory of one process can't enforce a limit.
 */
export async function alternateProcesses(test: TestApp) {
  const { url, release } = await startApp({ services: await openSecondProcess(test), devPayments: test.devPayments });
  const urls = [test.url, url];
  // Hooks run in reverse order, so all requests are answered before the services close.
  whenDone(release);
  let calls = 0;
  return (method: string, path: string, body?: unknown, token?: string) =>
    retryUntilServed(() => sendRequest(`${urls[calls++ % urls.length]}${path}`, method, { body, token }));
}
