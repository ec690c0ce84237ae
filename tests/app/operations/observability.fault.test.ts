import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { serveMetrics } from "#api/app/metrics-server.ts";
import { createStateMetrics } from "#api/app/state-metrics.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { addMilliseconds, DAY, SECOND } from "#api/platform/clock.ts";
import { defaultOperations } from "#api/platform/operations-settings.ts";
import { startTracing, stopTracing } from "#api/platform/observe/tracing.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { createEndpoint, recordEvents } from "#tests/factories/webhook.ts";
import { startAppBehindProxy } from "#tests/support/app-behind-proxy.ts";
import { listenLocally } from "#tests/support/listen-locally.ts";
import { recordLog } from "#tests/support/record-log.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const { app, proxy } = await startAppBehindProxy();
const receiver = await startReceiver();
const user = await createUser(app);
const token = await signInAs(app, user);
const licence = await createConcurrentLicence(app, user);
const device = await createDevice(app, licence);

const metrics = await serveMetrics(app.services, 0);
afterAll(() => metrics.close());

const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();

test("metrics count requests, operations, batches, jobs and failed sign-ins", async () => {
  await app.rest("GET", `/v1/core/accounts/${user.id}/profile`, { token });
  await app.graphql("query Unknown { me { id } }", {}, token);
  await callAddinFrom(app, device, "validate", licence);
  await createAccountCalls(app).signIn(user.email, "wrong-Password-1");
  await createEndpoint(app, receiver, user);
  await recordEvents(app, user.id);
  await app.services.jobs.runSweeps();
  const delivered = /portal_job_duration_seconds_count\{queue="deliver-webhook",outcome="completed"\} [1-9]/;
  await expect.poll(scrape, { timeout: 15_000 }).toMatch(delivered);
  await expect.poll(scrape, { timeout: 5_000 }).toMatch(/portal_sign_in_failures_total [1-9]/);
  const text = await scrape();
  expect(text).toMatch(
    /portal_http_request_duration_seconds_count\{method="GET",route="\/v1\/core\/accounts\/:userId\/profile",status="200"\} [1-9]/,
  );
  expect(text).toMatch(/portal_graphql_operation_duration_seconds_count\{operation="other",outcome="ok"\} [1-9]/);
  expect(text).toMatch(/portal_batch_rows_count\{statement="[\w-]+"\} [1-9]/);
  expect(text).toMatch(/portal_sweep_duration_seconds_count\{sweep="queue-due-webhooks",outcome="completed"\} [1-9]/);
  expect(text).toMatch(/portal_database_connections\{pool="main",state="(busy|idle)"\} \d/);
  expect(Number(/^portal_partition_horizon_seconds (\S+)/m.exec(text)?.[1])).toBeGreaterThan(80 * 86_400);
  expect(Math.abs(Number(/^portal_clock_skew_seconds (\S+)/m.exec(text)?.[1]))).toBeLessThan(5);
  expect(text).toContain("portal_ready 1");
  expect(text).toContain("portal_database_up 1");
  // Labels contain no ids, addresses or codes.
  for (const secret of [user.id, user.email, licence.licenceCode]) expect(text).not.toContain(secret);
}, 30_000);

test("metrics leave emails that failed every attempt to the dead letters", async () => {
  const em = app.services.orm.em.fork();
  const createdAt = addMilliseconds(app.clock.now(), -3 * DAY);
  const email = em.create(Email, { to: "lost@example.com", subject: "", text: "", html: "", createdAt });
  await em.flush();
  const readAge = async () =>
    Number(/^portal_outbox_age_seconds (\S+)/m.exec(await createStateMetrics(app.services).metrics())?.[1]);
  expect(await readAge()).toBeGreaterThan((2 * DAY) / SECOND);
  const insert = "insert into pgboss.job (name, data, source_name) values ('dead-letters', $1, 'deliver-mail')";
  await app.services.pool.query(insert, [{ mailId: email.id }]);
  expect(await readAge()).toBeLessThan(DAY / SECOND);
});

test("metrics are served while the database is away, without its numbers", async () => {
  await scrape();
  proxy.set("refuse");
  try {
    await expect.poll(scrape, { timeout: 12_000, interval: 500 }).toContain("portal_database_up 0");
    expect(await scrape()).not.toMatch(/^portal_outbox_age_seconds /m);
  } finally {
    proxy.set("pass");
  }
  await expect.poll(scrape, { timeout: 12_000, interval: 500 }).toContain("portal_database_up 1");
}, 40_000);

test("metrics include every metric that a dashboard or an alert rule names", async () => {
  const text = await scrape();
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name, type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const folder = "deploy/monitoring";
  for (const file of readdirSync(folder)) {
    const named = readFileSync(`${folder}/${file}`, "utf8").match(/\b(?:portal|nodejs|process)_[a-z0-9_]+/g) ?? [];
    const unknown = [...new Set(named)].filter((name) => !known.has(name));
    expect(unknown, file).toEqual([]);
  }
});

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

test("accepts a valid x-request-id and traceparent, and returns them", async () => {
  const headers = { "x-request-id": "proxy-12345678", traceparent };
  const answer = await app.rest("GET", "/health/live", { headers });
  expect(answer.headers.get("x-request-id")).toBe("proxy-12345678");
  expect(answer.headers.get("traceparent")).toBe(traceparent);
  const failed = await app.rest("GET", "/v1/core/accounts/1/profile", { headers });
  expect(failed.json.requestId).toBe("proxy-12345678");
});

const invalidIds = ["short", "a".repeat(200), "has spaces in it", 'quote"quote"quote', "<script>alert(1)</script>"];
test.each(invalidIds)("replaces the invalid x-request-id %s", async (id) => {
  const sent = { "x-request-id": id, traceparent: `${traceparent}-x` };
  const { headers } = await app.rest("GET", "/health/live", { headers: sent });
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-/);
  expect(headers.get("traceparent")).toBeNull();
});

test("writes one line to the access log at info without address, token, query or body", async () => {
  const { log, lines } = recordLog("info");
  const server = await createApp({ ...app.services, log });
  const headers = { authorization: `Bearer ${token}`, "x-request-id": "line-12345678" };
  await server.inject({ method: "GET", url: `/v1/core/accounts/${user.id}/profile?secret=query-secret`, headers });
  await server.inject({ method: "GET", url: "/health/live" });
  await server.close();
  const route = "/v1/core/accounts/:userId/profile";
  const line = { level: 30, method: "GET", route, status: 200, requestId: "line-12345678" };
  expect(lines.filter(({ msg }) => msg === "request")).toEqual([expect.objectContaining(line)]);
  for (const secret of [user.id, token, "query-secret", "127.0.0.1"])
    expect(JSON.stringify(lines)).not.toContain(secret);
});

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

test("traces go through HTTP, GraphQL, SQL, jobs and outgoing requests, from the caller's traceparent", async () => {
  const spans: ExportedSpan[] = [];
  const receive = async (request: IncomingMessage): Promise<void> => {
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] };
    spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));
  };
  const collector = createServer((request, response) => {
    void receive(request).then(() => response.setHeader("content-type", "application/json").end("{}"));
  });
  const tracesUrl = `http://127.0.0.1:${await listenLocally(collector)}`;
  await startTracing({ operations: { ...defaultOperations, tracesUrl } });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  try {
    const body = { query: "query Me { me { id email } }" };
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const answer = await app.rest("POST", "/graphql", { body, token, headers });
    const continued = new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`);
    expect(answer.headers.get("traceparent")).toMatch(continued);
    await recordEvents(app, user.id);
    await app.services.jobs.runSweeps();
  } finally {
    await stopTracing();
  }
  const find = (name: RegExp) => spans.find((span) => name.test(span.name));
  const request = find(/^POST \/graphql$/);
  expect(request).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331" });
  const operation = find(/^query other$/);
  expect(operation).toMatchObject({ traceId, parentSpanId: request?.spanId });
  const statements = spans.filter((span) => span.traceId === traceId && /^(SELECT|WITH)/.test(span.name));
  expect(statements.map(({ parentSpanId }) => parentSpanId)).toContain(operation?.spanId);
  const job = find(/^job deliver-webhook$/);
  expect(find(/^POST 127\.0\.0\.1$/)).toMatchObject({ traceId: job?.traceId, parentSpanId: job?.spanId });
  for (const secret of [user.id, user.email, token]) expect(JSON.stringify(spans)).not.toContain(secret);
}, 30_000);
