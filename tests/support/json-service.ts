import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Request that reached the service. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Response of the service: JSON, a status, a raw body, or none. */
export type ServiceAnswer = { json: unknown } | { status: number } | { body: string } | "silence";

/** Local stand-in for an external JSON service. */
export interface JsonService {
  readonly url: string;
  /** Requests so far. */
  readonly requests: ServiceRequest[];
  close(): Promise<void>;
}

/** Starts a local stand-in for an external JSON service. */
export async function startJsonService(answer: (request: ServiceRequest) => ServiceAnswer): Promise<JsonService> {
  const requests: ServiceRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const url = new URL(incoming.url ?? "/", "http://service.test");
      const request = { method: incoming.method ?? "", url, headers: incoming.headers, body };
      requests.push(request);
      const response = answer(request);
      if (response === "silence") return;
      outgoing.writeHead("status" in response ? response.status : 200, { "content-type": "application/json" });
      outgoing.end("json" in response ? JSON.stringify(response.json) : "body" in response ? response.body : "{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
