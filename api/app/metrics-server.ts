import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import type { Services } from "#api/platform/context.ts";
import { countedMetrics } from "#api/platform/observe/metrics.ts";
import { createStateMetrics } from "./state-metrics.ts";

/** A running server of metrics. */
export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves Prometheus text at `/metrics` on a separate port, which the proxy in front of the portal doesn't expose.
 * @throws Error if the port is in use
 */
export async function serveMetrics(services: Services, port: number): Promise<MetricsServer> {
  const state = createStateMetrics(services);
  const registry = Registry.merge([countedMetrics, state.registry]);
  const collect = async (): Promise<string> => {
    await state.refresh();
    return registry.metrics();
  };
  const server = createServer((request, response) => {
    if (request.url?.split("?")[0] !== "/metrics") return void response.writeHead(404).end();
    collect().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      (error: unknown) => {
        services.log.error({ err: error }, "metrics couldn't be collected");
        response.writeHead(500).end();
      },
    );
  });
  server.listen(port, services.config.host);
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
