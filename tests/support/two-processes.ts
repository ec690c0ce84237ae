import { pino } from "pino";
import { afterAll } from "vitest";
import { createApp } from "#api/app.ts";
import type { Config } from "#api/platform/config.ts";
import type { Services } from "#api/platform/context.ts";
import type { JobsOptions } from "#api/platform/jobs.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { untilServed } from "./ask-again.ts";
import type { RestAnswer, TestApp } from "./test-app.ts";

/**
 * The services of a second process on the same database, with a pool of its own, for calling actions directly; its
 * settings are the first one's but for `changes`. It takes no jobs by itself unless `jobs` says so.
 */
export async function openBeside(
  test: TestApp,
  changes: Partial<Config> = {},
  jobs: JobsOptions = { polling: false },
  own: Partial<Pick<Services, "clock" | "log">> = {},
): Promise<Services> {
  const { clock } = test.services;
  const config = { ...test.services.config, ...changes };
  const given = { log: pino({ level: "silent" }), clock, ...own };
  const services = await openServices(config, test.database, given, {
    payments: test.services.payments,
    jobs,
  });
  afterAll(() => closeServices(services));
  return services;
}

/**
 * Puts a second process of the product beside the first, with a pool of its own on the same database, and
 * gives a way to call them in turn: what is kept in one process's memory does not help here.
 */
export async function besideAnother(
  test: TestApp,
): Promise<
  (method: string, path: string, body?: unknown, token?: string) => Promise<Pick<RestAnswer, "status" | "json">>
> {
  const app = await createApp(await openBeside(test));
  const urls = [test.url, await app.listen({ port: 0, host: "127.0.0.1" })];
  // Hooks run from the last to the first: the door closes before the services behind it.
  afterAll(() => app.close());
  let calls = 0;
  return (method, path, body, token) =>
    untilServed(async () => {
      const response = await fetch(`${urls[calls++ % urls.length]}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: await response.json() };
    });
}
