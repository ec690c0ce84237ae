import cluster, { type Worker } from "node:cluster";
import { pino } from "pino";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";
import { serveWorkerMetrics } from "#api/app/metrics-server.ts";
import { createTestConfig } from "#tests/support/test-config.ts";

const config = createTestConfig("");
const operations = { ...config.operations, metricsPort: 0 };
const services = { config: { ...config, operations }, log: pino({ level: "silent" }) };
const server = await serveWorkerMetrics(services, () => true);
const scrape = async () => (await fetch(`http://127.0.0.1:${server?.port}/metrics`)).text();

afterEach(() => server?.close());

/** Starts a worker that answers scrapes with what it counted. */
function startWorker(id: number) {
  const registers = [new Registry()];
  const requests = new Counter({ name: "requests_total", help: "Requests.", labelNames: ["route"], registers });
  const duration = new Histogram({ name: "duration_seconds", help: "Duration.", buckets: [1], registers });
  const connections = new Gauge({ name: "connections", help: "Connections.", registers });
  connections.set(10);
  const worker = {
    id,
    isConnected: () => true,
    isDead: () => false,
    async send({ requestId }: { requestId: number }): Promise<void> {
      const metrics = await Promise.all(registers.map((registry) => registry.getMetricsAsJSON()));
      cluster.emit("message", worker, { type: "prom-client:getMetricsRes", requestId, metrics });
    },
  };
  Object.assign(cluster.workers ?? {}, { [id]: worker });
  const end = () => {
    delete cluster.workers?.[id];
    cluster.emit("exit", worker as unknown as Worker, 0, "");
  };
  return { requests, duration, end };
}

test("keeps what replaced workers counted, because a counter must not fall", async () => {
  const old = [startWorker(1), startWorker(2)];
  for (const { requests, duration } of old) {
    requests.inc({ route: "/" }, 50);
    duration.observe(0.5);
  }
  expect(await scrape()).toMatch(/^requests_total\{route="\/"\} 100$/m);
  startWorker(3).requests.inc({ route: "/" }, 7);
  for (const { end } of old) end();
  const text = await scrape();
  expect(text).toMatch(/^requests_total\{route="\/"\} 107$/m);
  expect(text).toMatch(/^duration_seconds_bucket\{le="1"\} 2$/m);
  expect(text).toMatch(/^duration_seconds_count 2$/m);
  expect(text).toMatch(/^connections 10$/m);
});
