import { createConnection, createServer, type Socket } from "node:net";
import { listenLocally } from "./listen-locally.ts";
import { whenDone } from "./when-done.ts";

/** Simulated state of the dependency behind the proxy. */
export type ProxyMode = "pass" | "refuse" | "hang";

/** TCP proxy that can make a healthy dependency look unavailable or unresponsive. */
export interface TcpProxy {
  readonly port: number;
  /** Changes the state. `refuse` also closes the open connections, and `hang` stops their traffic. */
  set(mode: ProxyMode): void;
}

/** Starts a proxy on loopback for a Unix socket or port, until the test or its file is over. */
export async function startTcpProxy(target: { path: string } | { port: number }): Promise<TcpProxy> {
  let mode: ProxyMode = "pass";
  const pairs = new Set<[Socket, Socket]>();
  const unanswered = new Set<Socket>();
  const server = createServer((client) => {
    client.on("error", () => {});
    if (mode === "refuse") return void client.destroy();
    if (mode === "hang") return void unanswered.add(client);
    const upstream = createConnection("path" in target ? target : { host: "127.0.0.1", port: target.port });
    upstream.on("error", () => client.destroy());
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    client.pipe(upstream).pipe(client);
    const closePair = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    client.on("close", closePair);
    upstream.on("close", closePair);
  });
  const port = await listenLocally(server);
  whenDone(() => {
    for (const client of [...unanswered, ...[...pairs].flat()]) client.destroy();
  });
  return {
    port,
    set(next) {
      mode = next;
      for (const [client, upstream] of pairs) {
        if (next === "refuse") client.destroy();
        if (next === "hang") {
          client.unpipe(upstream);
          upstream.unpipe(client);
        }
      }
    },
  };
}
