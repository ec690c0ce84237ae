import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** One post that reached the receiver. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  // Events have data of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly json: any;
}

/** What the receiver does with a post; default an empty 204. */
export type Reply = (response: ServerResponse, post: ReceivedPost) => void;

/** Somebody's receiver of webhooks, on this machine; `reply` may be put in its place at any time. */
export async function startReceiver() {
  const posts: ReceivedPost[] = [];
  const receiver = {
    url: "",
    posts,
    reply: ((response) => response.writeHead(204).end()) as Reply,
    /** The posts to a path, in their order. */
    at: (path: string) => posts.filter((post) => post.path === path),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const post = { path: incoming.url ?? "/", headers: incoming.headers, body, json: asJson(body) };
      posts.push(post);
      receiver.reply(response, post);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

/** Whether a receiver with this secret takes a post, by the package that receivers use. */
export function isSignedBy(secret: string, { body, headers }: ReceivedPost): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function asJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
