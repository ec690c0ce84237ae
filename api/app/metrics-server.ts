import cluster from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AggregatorRegistry, Registry } from "prom-client";
import type { Services } from "#api/platform/context.ts";
import { countedMetrics } from "#api/platform/observe/metrics.ts";
import { createStateMetrics } from "./state-metrics.ts";

/** A running server of metrics. */
export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Publishes the metrics of a process: on `METRICS_PORT`, or to the process that started it as one of several workers.
 * @throws Error if the port is in use
 */
export async function publishMetrics(services: Services): Promise<MetricsServer | null> {
  const { metricsPort } = services.config.operations;
  if (metricsPort === null) return null;
  if (!cluster.isWorker) return serveMetrics(services, metricsPort);
  AggregatorRegistry.setRegistries([countedMetrics, createStateMetrics(services)]);
  return null;
}

/** Serves the metrics of one process. */
export async function serveMetrics(services: Services, port: number): Promise<MetricsServer> {
  const registry = Registry.merge([countedMetrics, createStateMetrics(services)]);
  return serveText(services, port, () => registry.metrics());
}

/** What is served while no worker serves or answers, so that the alert PortalNotReady fires if each one ends too early. */
const noWorkers = "# TYPE portal_ready gauge\nportal_ready 0\n";

/** Message of `prom-client` with a worker's metrics, an array for each registry. */
interface WorkerMetrics {
  readonly type: "prom-client:getMetricsRes";
  readonly metrics?: readonly (readonly { readonly type: string }[])[];
}

/**
 * Returns a function that adds up the metrics of all workers. What a worker had counted when it last answered stays in the
 * sum after it ended: Prometheus takes a counter that falls for a new one, and would count all of it again.
 */
function addUpWorkers(): () => Promise<string> {
  const workers = new AggregatorRegistry();
  const latest = new Map<number, NonNullable<WorkerMetrics["metrics"]>>();
  let ended: object[] = [];
  cluster.on("message", (worker, { type, metrics }: WorkerMetrics) => {
    if (type === "prom-client:getMetricsRes" && metrics && !worker.isDead()) latest.set(worker.id, metrics);
  });
  cluster.on("exit", ({ id }) => {
    const counted = (latest.get(id) ?? []).map((metrics) => metrics.filter(({ type }) => type !== "gauge"));
    latest.delete(id);
    ended = AggregatorRegistry.aggregate([ended, ...counted]).getMetricsAsArray();
  });
  return async () => {
    if ((await workers.clusterMetrics()).trim() === "") return "";
    return AggregatorRegistry.aggregate([...[...latest.values()].flat(), ended]).metrics();
  };
}

/**
 * Serves the sum of all workers' metrics on `METRICS_PORT`, if it is set. Called by the process that started them.
 * @param isServing returns whether a worker serves
 */
export async function serveWorkerMetrics(
  given: Pick<Services, "config" | "log">,
  isServing: () => boolean,
): Promise<MetricsServer | null> {
  const { metricsPort } = given.config.operations;
  if (metricsPort === null) return null;
  const addUp = addUpWorkers();
  return serveText(given, metricsPort, async () => {
    // A worker that ends while it starts doesn't answer.
    const text = await addUp().catch((error: unknown) => {
      if (isServing()) throw error;
      return "";
    });
    return text === "" ? noWorkers : text;
  });
}

/** Serves Prometheus text at `/metrics` on a separate port, which the proxy in front of the portal doesn't expose. */
async function serveText(
  { config, log }: Pick<Services, "config" | "log">,
  port: number,
  collect: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split("?")[0] !== "/metrics") return void response.writeHead(404).end();
    collect().then(
      (text) => response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "metrics couldn't be collected");
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, config.host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
