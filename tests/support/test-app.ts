import type { FastifyInstance } from "fastify";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Config } from "#api/platform/config.ts";
import { createMovableClock, type MovableClock } from "#api/platform/clock.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { getRouteContract, UNDOCUMENTED_HEADER } from "#api/dev/response-contract.ts";
import { type DevPayments, startDevPayments } from "#api/dev/dev-payments.ts";
import type { PaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { createContext, type Context, type Services } from "#api/platform/context.ts";
import { closeServices } from "#api/app/services.ts";
import { routes } from "#api/v1/routes.ts";
import { toDocument } from "./call-document.ts";
import { type RequestOptions, sendRequest } from "./send-request.ts";
import { createTestConfig } from "./test-config.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { openTestServices } from "./test-services.ts";
import { startApp } from "./worker-app.ts";
import { whenDone } from "./when-done.ts";

export interface RestResponse {
  readonly status: number;
  readonly headers: Headers;
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly json: any;
  readonly text: string;
  readonly bytes: Buffer;
}

export interface GraphqlResponse {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- see RestResponse
  readonly data: any;
  readonly errors:
    | { message: string; path?: string[]; extensions: { code: string; fields?: Record<string, string[]> } }[]
    | undefined;
}

/** App of one test file, with its own database, services and payment provider. */
export interface TestApp {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly services: Services;
  readonly clock: MovableClock;
  readonly database: TestDatabase;
  /** Payment provider of this test file. */
  readonly simulator: PaymentSimulator;
  readonly devPayments: DevPayments;
  /** Creates a context for direct calls of actions. */
  context(): Context;
  rest(method: string, path: string, options?: RequestOptions): Promise<RestResponse>;
  /** Sends a document, or calls one field with the variables as its arguments: `archiveUser { id }`. */
  graphql(text: string, variables?: Record<string, unknown>, token?: string): Promise<GraphqlResponse>;
  /** Calls one field like {@link graphql} and returns its value. Throws its error, with its code and fields. */
  // oxlint-disable-next-line typescript/no-explicit-any -- see RestResponse
  call(text: string, variables?: Record<string, unknown>, token?: string): Promise<any>;
}

/**
 * Opens services on a new database for this test file and serves them with an app of the worker. Call it once, at the top of
 * the file.
 * @param through returns the address of the database for the app, such as a proxy
 */
export async function startTestApp(
  changes: Partial<Config> = {},
  through: (database: TestDatabase) => DatabaseAddress | Promise<DatabaseAddress> = (database) => database,
): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "portal-files-"));
  return serveTestApp(database, createTestConfig(dataDir, changes), await through(database));
}

/** Starts an app on a database with other settings, like {@link startTestApp}. Removes its data folder afterwards. */
export async function serveTestApp(
  database: TestDatabase,
  config: Config,
  address: DatabaseAddress = database,
): Promise<TestApp> {
  const clock = createMovableClock();
  const log = createLog(config);
  // Without polling, jobs run only when a test drains them.
  const devPayments = await startDevPayments(database, { clock, log }, { polling: false });
  const services = await openTestServices(
    config,
    address,
    { log, clock },
    { jobs: { polling: false }, ...(config.stripe ? {} : { payments: devPayments.payments }) },
  );
  const { app, url, release } = await startApp({ services, devPayments });
  devPayments.sendWebhooksTo(url);
  whenDone(async () => {
    await release();
    await closeServices(services);
    await devPayments.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  });

  const rest: TestApp["rest"] = async (method, path, options = {}) => {
    const { body } = options;
    const answer = await sendRequest(url + path, method, options);
    expect(answer.headers.get(UNDOCUMENTED_HEADER), `${method} ${path}`).toBe(null);
    if (answer.status < 300 && typeof body === "object" && !(body instanceof Uint8Array))
      expectDocumentedBody(method, path, body);
    return answer;
  };
  const graphql: TestApp["graphql"] = async (text, variables = {}, token) => {
    const body = { query: toDocument(text, variables), variables };
    const { status, json } = await rest("POST", "/graphql", { body, token });
    return { status, data: json?.data, errors: json?.errors };
  };

  return {
    url,
    app,
    services,
    clock,
    database,
    simulator: devPayments.simulator,
    devPayments,
    context: () => createContext(services),
    rest,
    graphql,
    call: async (text, variables, token) => {
      const { data, errors } = await graphql(text, variables, token);
      if (errors) throw Object.assign(new Error(errors[0]?.message), errors[0]?.extensions);
      return Object.values(data as object)[0];
    },
  };
}

const patterns = routes
  .map(({ method, url }) => ({ method, url, pattern: new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}/?$`) }))
  // Paths without parameters take precedence over paths with parameters, as in the server.
  .sort((a, b) => Number(a.url.includes("/:")) - Number(b.url.includes("/:")));

/** Asserts that `schema/openapi.json` allows a body that the server accepted. */
function expectDocumentedBody(method: string, path: string, body: unknown): void {
  const pathname = path.split("?")[0] ?? "";
  const route = patterns.find((one) => one.method === method && one.pattern.test(pathname));
  if (route)
    expect(getRouteContract().findBodyError(method, route.url, body), `${method} ${route.url}`).toBe(undefined);
}
