import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Logger } from "pino";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { logFailure } from "#api/platform/observe/log.ts";
import { apiKeys, dispatch, type ProviderRequest, type ProviderResponse } from "./dispatcher.ts";
import { openStorage } from "./storage.ts";
import { processDue } from "./sweep.ts";
import { type Environment, Transaction } from "./transaction.ts";
import { WebhookSender, type WebhookTarget } from "./webhooks.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** A request the simulator received, without its parameters, which may contain card details. */
export interface RecordedRequest {
  readonly method: string;
  /** Path without the query string. */
  readonly path: string;
  /** HTTP status of the response; undefined until it is sent, or if the connection was closed instead. */
  status?: number;
}

export interface SimulatorOptions {
  readonly database: DatabaseAddress;
  /** The application's clock. */
  readonly now: () => Date;
  readonly webhook?: WebhookTarget;
  /** Interval for calling `catchUp` automatically, in real milliseconds. Default: never. */
  readonly catchUpEveryMs?: number;
  readonly log?: Pick<Logger, "error">;
}

/** A local payment provider that the `stripe` package can call. */
export interface PaymentSimulator {
  /** Base URL, such as `http://127.0.0.1:4242`. The server only listens on loopback. */
  readonly url: string;
  readonly port: number;
  readonly secretKey: string;
  readonly publishableKey: string;
  /**
   * Processes everything that is due, each customer's in order and at the time it was due, then delivers webhooks and waits
   * for responses.
   * @param readEvents reads all events since a moment, so that their webhooks needn't be sent
   */
  catchUp(readEvents?: (since: Date) => Promise<void>): Promise<void>;
  readonly webhooks: Pick<WebhookSender, "setTarget" | "setBehaviour">;
  readonly faults: Pick<FaultQueue, "add" | "clear">;
  /** The latest 10,000 requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Handles a request from a browser as if it had the publishable key. */
  publicFetch(method: string, path: string, body?: string): Promise<ProviderResponse>;
  close(): Promise<void>;
}

/** Maximum size of a request body in bytes. If a body is larger, the connection is closed. */
const MAX_BODY_BYTES = 1_000_000;
const MAX_RECORDED_REQUESTS = 10_000;

/** Number of customers whose due objects are processed in a transaction, during which other changes wait. */
const DUE_BATCH_SIZE = 5;

/** Starts the simulator. Its state is in the schema `payment_simulator` of the database and survives restarts. */
export async function startPaymentSimulator(options: SimulatorOptions): Promise<PaymentSimulator> {
  const { now, log } = options;
  const storage = openStorage(options.database);
  const sender = new WebhookSender(storage, now, options.webhook ?? null);
  const environment: Environment = { now, webhookDelayMs: () => sender.delayMs };
  const faults = new FaultQueue();
  const requests: RecordedRequest[] = [];

  const handle = async (request: ProviderRequest): Promise<ProviderResponse | Failure> => {
    const { method } = request;
    const path = request.path.split("?")[0] ?? "";
    const record: RecordedRequest = { method, path };
    requests.push(record);
    if (requests.length > MAX_RECORDED_REQUESTS) requests.shift();
    const fault = faults.take(method, path);
    const before = await faults.apply(fault, "before");
    if (before) return before;
    try {
      const result = await dispatch(storage, environment, request);
      const after = await faults.apply(fault, "after");
      if (after) return after;
      record.status = result.status;
      return result;
    } catch (error) {
      if (log) logFailure(log, error, "payment simulator", { path });
      return "error";
    }
  };

  const server = createServer((incoming, outgoing) => {
    // The client may close the connection at any time.
    serve(incoming, outgoing, handle).catch(() => incoming.socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;

  const processDueBatch = (): Promise<boolean> =>
    storage.runExclusive(async (client) => {
      const until = toEpochSeconds(now());
      const { rows } = await client.query<{ customer: string | null }>(
        `select customer from payment_simulator.objects where due <= $1
         group by customer order by min(due), min(number) limit ${DUE_BATCH_SIZE}`,
        [until],
      );
      for (const { customer } of rows) await processDue(new Transaction(client, environment), until, customer);
      return rows.length === DUE_BATCH_SIZE;
    });
  // Calls run one at a time, so that all due work is done when a caller continues.
  let last: Promise<void> = Promise.resolve();
  const catchUp = (readEvents?: (since: Date) => Promise<void>): Promise<void> => {
    last = last
      .catch(() => {})
      .then(async () => {
        while (await processDueBatch());
        if (readEvents) await sender.dropAfter(readEvents);
        await sender.deliverDue();
      });
    return last;
  };
  const timer = options.catchUpEveryMs && startTimer(catchUp, options.catchUpEveryMs, log);

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    ...apiKeys,
    catchUp,
    webhooks: sender,
    faults,
    requests,
    async publicFetch(method, path, body = "") {
      const headers = { authorization: `Bearer ${apiKeys.publishableKey}` };
      return toResponse(await handle({ method, path, body, headers }));
    },
    async close() {
      if (timer) clearInterval(timer);
      faults.clear();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await last.catch(() => {});
      await storage.close();
    },
  };
}

/** Calls `catchUp` at an interval, unless the previous call is still running. */
function startTimer(catchUp: () => Promise<void>, everyMs: number, log: SimulatorOptions["log"]): NodeJS.Timeout {
  let isBusy = false;
  return setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    catchUp()
      .catch((error: unknown) => log && logFailure(log, error, "payment simulator: could not catch up"))
      .finally(() => {
        isBusy = false;
      });
  }, everyMs).unref();
}

function toResponse(result: ProviderResponse | Failure): ProviderResponse {
  if (typeof result === "object") return result;
  const body = JSON.stringify({ error: { type: "api_error", message: "An unknown error occurred." } });
  return { status: 500, headers: { "content-type": "application/json" }, body };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: ProviderRequest) => Promise<ProviderResponse | Failure>,
): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  const isTooLarge = Number(incoming.headers["content-length"] ?? 0) > MAX_BODY_BYTES;
  const headers = incoming.headers as Record<string, string | undefined>;
  const result = isTooLarge ? "close" : await handle({ method, path: url, headers, body: await text(incoming) });
  if (result === "close") {
    incoming.socket.destroy();
    return;
  }
  const response = toResponse(result);
  outgoing.writeHead(response.status, response.headers).end(response.body);
}

/** A fault to inject into matching requests. */
interface Fault {
  readonly method: string;
  /** Path of the requests; `:id` matches any one segment, as in `/v1/invoices/:id/pay`. */
  readonly path: string;
  /** `slow` delays the request by `ms`, `hang` never responds, `error` returns 500, `close` closes the connection. */
  readonly kind: "slow" | "hang" | "error" | "close";
  /** When the request fails: `before` it is handled, or `after`, so that only the response is lost. Default `before`. */
  readonly moment?: "before" | "after";
  readonly ms?: number;
  /** Number of matching requests that fail. Default: 1. */
  readonly times?: number;
}

/** Failure the server returns instead of a response. */
type Failure = "error" | "close";

/** Injects faults for tests. */
class FaultQueue {
  #queue: { fault: Fault; pattern: RegExp; times: number }[] = [];
  readonly #hanging = new Set<() => void>();

  add(fault: Fault): void {
    const pattern = new RegExp(`^${fault.method} ${fault.path.replace(/:[a-z]+/g, "[^/]+")}$`);
    this.#queue.push({ fault, pattern, times: fault.times ?? 1 });
  }

  /** Removes all faults and closes the connections of hanging requests. */
  clear(): void {
    this.#queue = [];
    for (const release of this.#hanging) release();
    this.#hanging.clear();
  }

  /** Returns the fault for a request, if any, and counts it. */
  take(method: string, path: string): Fault | undefined {
    const entry = this.#queue.find(({ pattern, times }) => times > 0 && pattern.test(`${method} ${path}`));
    if (entry) entry.times--;
    return entry?.fault;
  }

  /** Applies a fault if it is meant for this moment. Returns the failure the server must return, or null. */
  async apply(fault: Fault | undefined, at: "before" | "after"): Promise<Failure | null> {
    const { kind, ms = 0, moment = "before" } = fault ?? {};
    if (!kind || moment !== at) return null;
    if (kind === "error" || kind === "close") return kind;
    if (kind === "slow") {
      await sleep(ms, undefined, { ref: false });
      return null;
    }
    await new Promise<void>((resolve) => this.#hanging.add(resolve));
    return "close";
  }
}
