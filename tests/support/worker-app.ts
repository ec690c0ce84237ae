import type { FastifyInstance } from "fastify";
import type { ServerResponse } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { createApp } from "#api/app.ts";
import type { DevPayments } from "#api/dev/dev-payments.ts";
import type { Config } from "#api/platform/config.ts";
import type { Services } from "#api/platform/context.ts";
import { STOP_WAIT_MS } from "#api/platform/lifecycle.ts";
import { createTestConfig } from "./test-config.ts";
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
const sameForAll: ReadonlySet<string> = new Set(["log", "payments", "orm", "clock", "pool"]);

/** An app of this worker, and the services that it has now. */
interface Slot {
  running?: Omit<RunningApp, "release"> & { readonly unanswered: ReadonlySet<ServerResponse> };
  served?: Served;
  isServing?: boolean;
}

/** A test file needs a second app to race two processes. */
const slots: readonly Slot[] = [{}, {}];

/** Starts an app that only this test file uses. */
async function startOwnApp({ services, devPayments }: Served): Promise<RunningApp> {
  const app = await createApp(services, devPayments);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url, release: () => app.close() };
}

/** Returns whether an app is built as with the usual settings. It reads all others when a request arrives. */
function isBuiltAsUsual(config: Config): boolean {
  const { dataDir, rateLimits, twoPersonRelease, keepLicenceEventsMonths } = config;
  const usual = createTestConfig(dataDir, { rateLimits, twoPersonRelease, keepLicenceEventsMonths });
  return isDeepStrictEqual(config, usual);
}

/**
 * Lets an app of this worker serve this test file. The worker builds it once, which takes much longer than opening the
 * services that each test file has. Starts another one if the settings need it, or two already serve this file.
 */
export async function startApp(now: Served): Promise<RunningApp> {
  const slot = isBuiltAsUsual(now.services.config) ? slots.find(({ isServing }) => !isServing) : undefined;
  if (!slot) return startOwnApp(now);
  // Timers of the app may still read the services of the last file.
  slot.served = now;
  slot.isServing = true;
  // Also if this file fails before it has a context.
  whenDone(() => void (slot.isServing = false));
  // A test may have closed it.
  if (!slot.running?.app.server.listening) slot.running = await buildApp(slot);
  const { app, url, unanswered } = slot.running;
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

async function buildApp(slot: Slot): Promise<NonNullable<Slot["running"]>> {
  let isBuilt = false;
  const services = follow(
    () => slot.served?.services,
    (name) => {
      if (!isBuilt && !sameForAll.has(name))
        throw new Error(`The app keeps services.${name} of the first test file. Read it when a request arrives.`);
    },
  );
  // The app keeps its settings, and tests change those of their file.
  Object.defineProperty(services, "config", { value: follow(() => slot.served?.services.config) });
  const devPayments = follow(() => slot.served?.devPayments);
  const app = await createApp(services, devPayments);
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
function follow<Part extends object>(getPart: () => Part | undefined, onRead: (name: string) => void = () => {}): Part {
  const read = (name: string): unknown => {
    onRead(name);
    const part = getPart();
    return part && Reflect.get(part, name);
  };
  const names = Object.keys(getPart() ?? {});
  const properties = names.map(
    (name) => [name, { enumerable: true, configurable: true, get: () => read(name) }] as const,
  );
  return Object.defineProperties({}, Object.fromEntries(properties)) as Part;
}
