import type { FastifyInstance } from "fastify";
import type { ServerResponse } from "node:http";
import { createApp } from "#api/app.ts";
import type { DevPayments } from "#api/dev/dev-payments.ts";
import type { Services } from "#api/platform/context.ts";
import { STOP_WAIT_MS } from "#api/platform/http/drain-connections.ts";
import { whenDone } from "./when-done.ts";

/** The services that an app uses. */
export interface Served {
  readonly services: Services;
  readonly devPayments: DevPayments;
}

export interface RunningApp {
  readonly app: FastifyInstance;
  readonly url: string;
  /** Ends the use of the app, once all requests are answered. Call it before closing the services. */
  readonly release: () => Promise<void>;
}

/** Services that the app may read while it is built, because they are the same for all test files that share it. */
const sameForAll: ReadonlySet<string> = new Set(["config", "log", "payments", "orm", "clock", "pool"]);

let worker: (Omit<RunningApp, "release"> & { readonly unanswered: ReadonlySet<ServerResponse> }) | undefined;
let served: Served | undefined;
let isServing = false;

/** Starts an app that only this test file uses. */
export async function startOwnApp({ services, devPayments }: Served): Promise<RunningApp> {
  const app = await createApp(services, devPayments);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url, release: () => app.close() };
}

/**
 * Lets the app of this worker serve this test file. The worker builds it once, which takes much longer than opening the
 * services that each test file has. A second app of a test file is a new one.
 */
export async function useWorkerApp(now: Served): Promise<RunningApp> {
  if (isServing) return startOwnApp(now);
  // Timers of the app may still read the services of the last file.
  served = now;
  isServing = true;
  // Also if this file fails before it has a context.
  whenDone(() => void (isServing = false));
  // A test may have closed it.
  if (!worker?.app.server.listening) worker = await buildWorkerApp();
  const { app, url, unanswered } = worker;
  return {
    app,
    url,
    async release() {
      const timer = setTimeout(() => app.server.closeAllConnections(), STOP_WAIT_MS);
      await Promise.all([...unanswered].map((response) => new Promise((resolve) => response.once("close", resolve))));
      clearTimeout(timer);
    },
  };
}

async function buildWorkerApp(): Promise<NonNullable<typeof worker>> {
  let isBuilt = false;
  const services = follow("services", (name) => {
    if (!isBuilt && !sameForAll.has(name))
      throw new Error(`The app keeps services.${name} of the first test file. Read it when a request arrives.`);
  });
  const app = await createApp(services, follow("devPayments"));
  const unanswered = new Set<ServerResponse>();
  app.server.on("request", (_request, response) => {
    unanswered.add(response);
    response.once("close", () => unanswered.delete(response));
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  isBuilt = true;
  return { app, url, unanswered };
}

/** Returns an object with the properties that the running test file's object has when they are read. */
function follow<Part extends keyof Served>(part: Part, onRead: (name: string) => void = () => {}): Served[Part] {
  const names = Object.keys(served?.[part] ?? {});
  const read = (name: string): unknown => {
    onRead(name);
    return served && Reflect.get(served[part], name);
  };
  const properties = names.map((name) => [name, { enumerable: true, get: () => read(name) }] as const);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Served[Part];
}
