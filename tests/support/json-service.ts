import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One request that reached the played service. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What the service answers: JSON, a status, a body as it is, or nothing at all. */
export type ServiceAnswer = { json: unknown } | { status: number } | { body: string } | "silence";

/** Plays somebody else's JSON service on this machine with recorded answers. */
export async function startJsonService(answer: (request: ServiceRequest) => ServiceAnswer) {
  const asked: ServiceRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const url = new URL(incoming.url ?? "/", "http://service.test");
      const request = { method: incoming.method ?? "", url, headers: incoming.headers, body };
      asked.push(request);
      const given = answer(request);
      if (given === "silence") return;
      outgoing.writeHead("status" in given ? given.status : 200, { "content-type": "application/json" });
      outgoing.end("json" in given ? JSON.stringify(given.json) : "body" in given ? given.body : "{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
