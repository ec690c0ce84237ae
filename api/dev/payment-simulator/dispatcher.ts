import { serialize } from "./serialize.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { couponRoutes } from "./coupons.ts";
import { customerRoutes } from "./customers.ts";
import { notSimulated, ProviderError } from "./errors.ts";
import { digest, newId } from "./identifiers.ts";
import { previewRoutes } from "./invoice-previews.ts";
import { invoiceRoutes } from "./invoices.ts";
import { list, paging, parse, range, text, unfold } from "./parameters.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { refundRoutes } from "./refunds.ts";
import { type ProviderRoute, retrieval, route } from "./routes.ts";
import { setupIntentRoutes } from "./setup-intents.ts";
import type { Storage } from "./storage.ts";
import { scheduleRoutes } from "./subscription-schedules.ts";
import { subscriptionUpdateRoutes } from "./subscription-updates.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { testClockRoutes } from "./test-clocks.ts";
import { API_VERSION, type Surroundings, Transaction } from "./transaction.ts";

/** Calls that read what happened, newest first. */
const eventRoutes = [
  retrieval("/v1/events", "event"),
  route("GET", "/v1/events", { type: text, types: list(text), created: range, ...paging }, async (tx, { params }) => {
    const types = params.types ?? (params.type === undefined ? undefined : [params.type]);
    return tx.page("event", { created: params.created, types }, params, "/v1/events");
  }),
];

/** A request as it came, header names in lower case. */
export interface ProviderRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** `application/x-www-form-urlencoded`. */
  readonly body: string;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface Keys {
  readonly secretKey: string;
  readonly publishableKey: string;
}

// Fixed paths come before those with an id in the same place.
const routes: readonly ProviderRoute[] = [
  ...previewRoutes,
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...catalogueRoutes,
  ...couponRoutes,
  ...subscriptionUpdateRoutes,
  ...subscriptionRoutes,
  ...scheduleRoutes,
  ...invoiceRoutes,
  ...refundRoutes,
  ...eventRoutes,
  ...testClockRoutes,
];

const patterns = routes.map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(":id", "([^/]+)")}$`) }));

function refusal(error: ProviderError): ProviderAnswer {
  return answered(error.status, JSON.stringify({ error: error.error }));
}

function answered(status: number, body: string, headers: Record<string, string> = {}): ProviderAnswer {
  const always = { "content-type": "application/json", "request-id": newId("req"), "stripe-version": API_VERSION };
  return { status, body, headers: { ...always, ...headers } };
}

/** Whose key asks; throws for keys that are none of the simulator's, live ones above all. */
function readKey(authorization: string | undefined, keys: Keys): "secret" | "publishable" {
  const key = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  const refused = (message: string) => new ProviderError(401, { type: "invalid_request_error", message });
  if (/^[a-z]+_live_/.test(key)) throw refused("The payment simulator refuses live keys.");
  if (key === keys.secretKey) return "secret";
  if (key === keys.publishableKey) return "publishable";
  throw refused("Invalid API Key provided.");
}

/**
 * Answers one request: who asks, what for, with which parameters; then the work in one transaction, together
 * with the answer that a repeated idempotency key gets.
 */
export async function dispatch(
  storage: Storage,
  surroundings: Surroundings,
  keys: Keys,
  request: ProviderRequest,
): Promise<ProviderAnswer> {
  try {
    const asker = readKey(request.headers.authorization, keys);
    const version = request.headers["stripe-version"];
    if (version !== undefined && version !== API_VERSION) throw notSimulated(`the API version ${version}`);
    const { pathname, search } = new URL(request.path, "http://simulator");
    const match = patterns.find(({ route, pattern }) => route.method === request.method && pattern.test(pathname));
    if (!match) throw notSimulated(`${request.method} ${pathname}`);
    if (asker === "publishable" && !match.route.open) {
      const message = "This API call cannot be made with a publishable API key. Please use a secret API key.";
      throw new ProviderError(403, { type: "invalid_request_error", code: "secret_key_required", message });
    }
    const sent = unfold(request.method === "POST" ? request.body : search.slice(1));
    const { expand, ...rest } = sent;
    const params = parse(match.route.shape, rest);
    if (asker === "publishable" && expand !== undefined) throw notSimulated("expand for a publishable key", "expand");
    const id = decodeURIComponent(match.pattern.exec(pathname)?.[1] ?? "");
    const key = request.method === "POST" ? request.headers["idempotency-key"] : undefined;
    const call = { id, params, byPublishableKey: asker === "publishable" };
    const expanded = expand === undefined ? [] : list(text).read(expand, "expand");
    const fingerprint = digest(`${request.method} ${pathname} ${JSON.stringify(withoutCard(sent))}`);
    return await work(storage, { ...surroundings, idempotencyKey: key }, match.route, call, expanded, key, fingerprint);
  } catch (error) {
    if (error instanceof ProviderError) return refusal(error);
    throw error;
  }
}

async function work(
  storage: Storage,
  surroundings: Surroundings,
  route: ProviderRoute,
  call: Parameters<ProviderRoute["run"]>[1],
  expand: readonly string[],
  key: string | undefined,
  fingerprint: string,
): Promise<ProviderAnswer> {
  return storage.exclusively(async (client) => {
    if (key !== undefined) {
      const { rows } = await client.query<{ fingerprint: string; status: number; body: string }>(
        "select fingerprint, status, body from payment_simulator.idempotency_keys where key = $1",
        [key],
      );
      const [before] = rows;
      if (before?.fingerprint === fingerprint)
        return answered(before.status, before.body, { "idempotent-replayed": "true" });
      if (before) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
        return refusal(new ProviderError(400, { type: "idempotency_error", message }));
      }
    }
    const tx = new Transaction(client, surroundings);
    await client.query("savepoint work");
    let result: ProviderAnswer;
    try {
      const object = await route.run(tx, call);
      await tx.flush();
      result = answered(200, JSON.stringify(await serialize(tx, object, expand)));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.keepsWork) await tx.flush();
      else {
        tx.reset();
        await client.query("rollback to savepoint work");
      }
      result = refusal(error);
    }
    // What the request was refused for, before anything was done, may be put right under the same key.
    if (key !== undefined && (result.status === 200 || result.status === 402))
      await client.query(
        "insert into payment_simulator.idempotency_keys (key, fingerprint, status, body) values ($1, $2, $3, $4)",
        [key, fingerprint, result.status, result.body],
      );
    return result;
  });
}

/** What was sent, without what must not be kept even as a digest. */
function withoutCard({ card, ...sent }: Record<string, unknown>): Record<string, unknown> {
  if (typeof card !== "object" || card === null) return sent;
  const { number, cvc: _cvc, ...rest } = card as Record<string, unknown>;
  return { ...sent, card: { ...rest, last4: String(number).slice(-4) } };
}
