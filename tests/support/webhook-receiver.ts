import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { listenLocally } from "./listen-locally.ts";
import { asJson } from "./send-request.ts";

/** POST request that reached the receiver. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  // Each event type has its own data.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly json: any;
}

/** Responds to a request. The default is an empty 204. */
export type Reply = (response: ServerResponse, post: ReceivedPost) => void;

/** Starts a local webhook receiver. A test may replace its `reply` at any time. */
export async function startReceiver() {
  const posts: ReceivedPost[] = [];
  const receiver = {
    url: "",
    posts,
    reply: ((response) => response.writeHead(204).end()) as Reply,
    /** Returns the requests to a path, oldest first. */
    at: (path: string) => posts.filter((post) => post.path === path),
  };
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const post = { path: incoming.url ?? "/", headers: incoming.headers, body, json: asJson(body) };
      posts.push(post);
      receiver.reply(response, post);
    });
  });
  receiver.url = `http://127.0.0.1:${await listenLocally(server)}`;
  return receiver;
}

/** Returns whether the `standardwebhooks` package accepts the signature of a request with this secret. */
export function isSignedBy(secret: string, { body, headers }: ReceivedPost): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
