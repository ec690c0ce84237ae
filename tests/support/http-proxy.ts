import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally } from "./listen-locally.ts";

/** Request that passes through the proxy. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Response to the client. With `cut`, the connection ends after half of the body. */
export interface ProxiedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly cut?: boolean;
}

/** Handles a request. `forward` returns the response of the service. */
export type ProxyHandler = (
  request: ProxiedRequest,
  forward: (changed?: Partial<ProxiedRequest>) => Promise<ProxiedResponse>,
) => ProxiedResponse | "refuse" | "hang" | Promise<ProxiedResponse | "refuse" | "hang">;

/** Handler that forwards requests and responses unchanged. */
export const forwardUnchanged: ProxyHandler = (_request, forward) => forward();

/** Starts a proxy on loopback in front of the service at `target`, which can change or drop requests and responses. */
export async function startHttpProxy(target: string) {
  let network: ProxyHandler = forwardUnchanged;
  const carried: ProxiedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then(async (body) => {
      const { method = "GET", url = "/", headers } = incoming;
      const request: ProxiedRequest = { method, path: url, headers, body };
      carried.push(request);
      const answer = await network(request, (changed) => forwardTo(target, { ...request, ...changed }));
      if (answer === "hang") return;
      if (answer === "refuse") outgoing.destroy();
      else respond(outgoing, answer);
    });
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    /** Requests so far. */
    carried,
    set(next: ProxyHandler): void {
      network = next;
    },
  };
}

const forwardedHeaders = ["authorization", "content-type", "idempotency-key"] as const;

async function forwardTo(target: string, { method, path, headers, body }: ProxiedRequest): Promise<ProxiedResponse> {
  const sent = forwardedHeaders.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
  const init = { method, headers: Object.fromEntries(sent) as Record<string, string> };
  const response = await fetch(target + path, { ...init, ...(body ? { body } : {}) });
  const retryAfter = response.headers.get("retry-after");
  return {
    status: response.status,
    headers: { "content-type": "application/json", ...(retryAfter ? { "retry-after": retryAfter } : {}) },
    body: await response.text(),
  };
}

function respond(outgoing: ServerResponse, { status, headers = {}, body, cut }: ProxiedResponse): void {
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, "content-length": bytes.length });
  if (!cut) return void outgoing.end(bytes);
  outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
}
