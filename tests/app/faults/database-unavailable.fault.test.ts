import pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import { createWorld } from "#tests/licensing/conformance/scenario-world.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { callAddin, callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
import { createLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { startAppBehindProxy } from "#tests/support/app-behind-proxy.ts";
import { createGoldenComparison } from "#tests/support/golden.ts";
import { waitUntilDatabaseResponds } from "#tests/support/server-process.ts";
import type { RestResponse } from "#tests/support/test-app.ts";

const { app, proxy } = await startAppBehindProxy();
const user = await createUser(app);
const token = await signInAs(app, user);
const licence = await createConcurrentLicence(app, user);
const device = await createDevice(app, licence);
const { id: leaseId } = await createLease(app, device, { expiresAt: addMilliseconds(app.clock.now(), HOUR) });
const me = buildMachine();
const world = await createWorld(app, app.url);
const sameAs = createGoldenComparison(app);

beforeEach(() => proxy.set("pass"));

const calls = [
  () => createAccountCalls(app).signIn(user.email),
  () => app.rest("GET", `/v1/core/accounts/${user.id}/profile/settings`, { token }),
  () => app.rest("POST", "/graphql", { body: { query: "{ me { id } }" }, token }),
  () => callAddin(app, "activate", licence, { machine: me }),
  () => callAddinFrom(app, device, "validate", licence),
  () => callAddinFrom(app, device, "heartbeat", licence, { leaseId }),
];

/** Returns how long to wait before a retry, in seconds, from the Retry-After header or the GraphQL extensions. */
const retryAfter = ({ headers, json }: RestResponse) =>
  Number(headers.get("retry-after") ?? json.errors?.[0].extensions.retryAfterSeconds);

// A statement that is already running may take its full 5 s before the server can report a failure.
describe.each([
  ["refuse", 3_000],
  ["hang", 6_500],
] as const)("when the database proxy is set to %s", (mode, limitMs) => {
  test(`answers 503 with Retry-After within ${limitMs} ms, reports it in /health/database and recovers within 5 s`, async () => {
    for (const call of calls) expect((await call()).status).toBe(200);
    proxy.set(mode);
    const refused = async (call: (typeof calls)[number]) => {
      const startedAt = performance.now();
      const answer = await call();
      expect(answer.status, answer.text).toBe(503);
      expect(performance.now() - startedAt).toBeLessThan(limitMs);
      expect(retryAfter(answer), answer.text).toBe(5);
      expect(answer.text).not.toMatch(/ECONN|Connection terminated|timeout exceeded|127\.0\.0\.1/);
    };
    await Promise.all(calls.map(refused));
    // Also test a request that arrives when every connection is already known to be broken.
    await refused(calls[0] as (typeof calls)[number]);
    expect((await app.rest("GET", "/health/database")).status).toBe(503);
    // Load balancers allow about a second for this answer.
    const readyAt = performance.now();
    expect((await app.rest("GET", "/health/ready")).status).toBe(200);
    expect(performance.now() - readyAt).toBeLessThan(1_000);
    expect((await app.rest("GET", "/health/live")).status).toBe(200);
    proxy.set("pass");
    await waitUntilDatabaseResponds(app.url, 5_000);
    for (const call of calls) expect((await call()).status).toBe(200);
  }, 60_000);
});

test("lets an activated add-in run in its grace period while the database is unavailable, and serves it again afterwards", async () => {
  expect((await world.client.activate(world.licenceCode)).reason).toBe("answered");
  proxy.set("refuse");
  expect(await world.client.start()).toMatchObject({ canRun: true, reason: "grace", unanswered: "busy" });
  expect(world.waits).toEqual([5_000]);
  expect(await world.client.reportUsage(2)).toEqual({ reported: 0, waiting: 2 });
  proxy.set("pass");
  await waitUntilDatabaseResponds(app.url, 5_000);
  expect(await world.client.start()).toMatchObject({ canRun: true, reason: "answered" });
  expect(await world.client.reportUsage(0)).toEqual({ reported: 2, waiting: 0 });
}, 30_000);

test("matches the published JSON of a 503 response", async () => {
  proxy.set("refuse");
  await sameAs("error-503", await callAddinFrom(app, device, "validate", licence));
  proxy.set("pass");
  await waitUntilDatabaseResponds(app.url, 5_000);
}, 30_000);

test("survives 50 terminations of all connections under load from 20 clients", async () => {
  const { host, port, user: role, dbName } = app.database;
  const admin = new pg.Client({ host, port, user: role, database: "postgres" });
  await admin.connect();
  let isRunning = true;
  const statuses = new Map<number, number>();
  const clients = Array.from({ length: 20 }, async (_, client) => {
    while (isRunning) {
      // Half of the requests run in transactions, where a lost connection is most easily leaked.
      const { status } =
        client % 2 === 0
          ? await app.rest("GET", `/v1/core/accounts/${user.id}/profile/settings`, { token })
          : await app.rest("POST", "/v1/core/accounts", { body: buildRegistration() });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  for (let kill = 0; kill < 50; kill++)
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [dbName]);
  await waitUntilDatabaseResponds(app.url, 5_000);
  isRunning = false;
  await Promise.all(clients);
  await admin.end();
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(0);
  const { pool } = app.services;
  await expect
    .poll(() => pool.totalCount - pool.idleCount, { message: "connections not returned to the pool", timeout: 10_000 })
    .toBe(0);
  for (const call of calls) expect((await call()).status).toBe(200);
}, 60_000);
