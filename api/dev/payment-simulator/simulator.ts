import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Logger } from "pino";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import { dispatch, type ProviderAnswer, type ProviderRequest } from "./dispatcher.ts";
import { processNextDue } from "./sweep.ts";
import { type Failure, FaultQueue, type Faults } from "./faults.ts";
import { openStorage } from "./storage.ts";
import { type Surroundings, Transaction } from "./transaction.ts";
import { WebhookSender, type Webhooks, type WebhookTarget } from "./webhooks.ts";

/** What a request asked; never with its parameters, which may hold a card. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  /** Of the answer; undefined while it is worked on, or when the connection was cut. */
  status?: number;
}

/** Options of the simulator. */
export interface SimulatorOptions {
  readonly database: DatabaseAddress;
  /** The application's clock; customers on a test clock follow that instead. */
  readonly now: () => Date;
  /** Default: any free one. */
  readonly port?: number;
  /** Default `sk_test_simulator`; live keys are refused. */
  readonly secretKey?: string;
  /** Default `pk_test_simulator`. */
  readonly publishableKey?: string;
  readonly webhook?: WebhookTarget;
  /** Every how many real milliseconds it catches up by itself; default: only when asked. */
  readonly catchUpEveryMs?: number;
  readonly log?: Pick<Logger, "error">;
}

/** A payment provider on this machine that the `stripe` package drives by host and port. */
export interface PaymentSimulator {
  /** `http://127.0.0.1:PORT`; it listens on loopback only. */
  readonly url: string;
  readonly port: number;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Does all that came due, in the order it came due and as of those moments; then delivers webhooks and waits for them. */
  catchUp(): Promise<void>;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  /** What was asked since the start, oldest first; the latest 10,000. */
  readonly requests: readonly RecordedRequest[];
  /** Answers a browser's call that the product passes on, as if it had been asked with the publishable key. */
  publicFetch(
    method: string,
    path: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

/** A body above this many bytes is no request of the provider's API. */
const BODY_LIMIT = 1_000_000;
const REQUESTS_KEPT = 10_000;

/** Starts the simulator on a database, in whose schema `payment_simulator` everything lives on. */
export async function startPaymentSimulator(options: SimulatorOptions): Promise<PaymentSimulator> {
  const { now, secretKey = "sk_test_simulator", publishableKey = "pk_test_simulator" } = options;
  if (!secretKey.startsWith("sk_test_") || !publishableKey.startsWith("pk_test_"))
    throw new Error("The payment simulator takes test keys only (sk_test_…, pk_test_…).");
  const storage = await openStorage(options.database);
  const sender = new WebhookSender(storage, now, options.webhook ?? null);
  const surroundings: Surroundings = { now, webhookDelayMs: () => sender.delayMs };
  const faults = new FaultQueue();
  const requests: RecordedRequest[] = [];

  const handle = async (request: ProviderRequest): Promise<ProviderAnswer | Failure> => {
    const path = request.path.split("?")[0] ?? "";
    const noted: RecordedRequest = { method: request.method, path, idempotencyKey: request.headers["idempotency-key"] };
    requests.push(noted);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    const fault = faults.take(request.method, path);
    const before = await faults.apply(fault, "before");
    if (before) return before;
    try {
      const result = await dispatch(storage, surroundings, { secretKey, publishableKey }, request);
      const after = await faults.apply(fault, "after");
      if (after) return after;
      noted.status = result.status;
      return result;
    } catch (error) {
      options.log?.error({ err: error, path }, "payment simulator");
      return "error";
    }
  };

  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing, handle);
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    await storage.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;

  const catchUp = async (): Promise<void> => {
    while (
      await storage.exclusively((client) =>
        processNextDue(new Transaction(client, surroundings), toEpochSeconds(now()), null),
      )
    );
    await sender.deliverDue();
  };
  // One after the other, so that two callers both find everything done when they go on.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (): Promise<void> => {
    last = last.catch(() => {}).then(catchUp);
    return last;
  };
  const timer =
    options.catchUpEveryMs === undefined ? undefined : keepCatchingUp(inTurn, options.catchUpEveryMs, options.log);

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    secretKey,
    publishableKey,
    catchUp: inTurn,
    webhooks: sender,
    faults,
    requests,
    async publicFetch(method, path, body = "", headers = {}) {
      const given = { ...headers, authorization: `Bearer ${publishableKey}` };
      return orError(await handle({ method, path, body, headers: given }));
    },
    async close() {
      clearInterval(timer);
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

function keepCatchingUp(catchUp: () => Promise<void>, everyMs: number, log: SimulatorOptions["log"]): NodeJS.Timeout {
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    catchUp()
      .catch((error: unknown) => log?.error({ err: error }, "payment simulator: could not catch up"))
      .finally(() => {
        busy = false;
      });
  }, everyMs).unref();
}

function orError(result: ProviderAnswer | Failure): ProviderAnswer {
  if (result !== null && typeof result === "object") return result;
  const body = JSON.stringify({ error: { type: "api_error", message: "An unknown error occurred." } });
  return { status: 500, headers: { "content-type": "application/json" }, body };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: ProviderRequest) => Promise<ProviderAnswer | Failure>,
): Promise<void> {
  try {
    if (Number(incoming.headers["content-length"] ?? 0) > BODY_LIMIT) {
      incoming.socket.destroy();
      return;
    }
    const headers = incoming.headers as Record<string, string | undefined>;
    const result = await handle({
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers,
      body: await text(incoming),
    });
    if (result === "close") {
      incoming.socket.destroy();
      return;
    }
    const { status, headers: answerHeaders, body } = orError(result);
    outgoing.writeHead(status, answerHeaders);
    outgoing.end(body);
  } catch {
    // The asker went away.
    incoming.socket.destroy();
  }
}
