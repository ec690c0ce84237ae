import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally } from "./listen-locally.ts";

/** Request that reached the service. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Response of the service: JSON, a status, a raw body, or none. */
export type ServiceAnswer = { json: unknown } | { status: number } | { body: string } | "silence";

/** Starts a local stand-in for an external JSON service, which keeps its requests. */
export async function startJsonService(answer: (request: ServiceRequest) => ServiceAnswer) {
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
  return { url: `http://127.0.0.1:${await listenLocally(server)}`, requests };
}
