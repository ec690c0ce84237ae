import { serialize } from "./serialize.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { couponRoutes } from "./coupons.ts";
import { customerRoutes } from "./customers.ts";
import { notSimulated, ProviderError } from "./errors.ts";
import { digest, createId } from "./identifiers.ts";
import { previewRoutes } from "./invoice-previews.ts";
import { invoiceRoutes } from "./invoices.ts";
import { list, paging, parseParameters, range, text, parseForm } from "./parameters.ts";
import { paymentIntentRoutes } from "./payment-intents.ts";
import { paymentMethodRoutes } from "./payment-methods.ts";
import { refundRoutes } from "./refunds.ts";
import { type ProviderRoute, defineGetRoute, defineRoute } from "./routes.ts";
import { setupIntentRoutes } from "./setup-intents.ts";
import type { Storage } from "./storage.ts";
import { scheduleRoutes } from "./subscription-schedules.ts";
import { subscriptionUpdateRoutes } from "./subscription-updates.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { testClockRoutes } from "./test-clocks.ts";
import { API_VERSION, type Environment, Transaction } from "./transaction.ts";

const eventRoutes = [
  defineGetRoute("/v1/events", "event"),
  defineRoute(
    "GET",
    "/v1/events",
    { type: text, types: list(text), created: range, ...paging },
    async (tx, { params }) => {
      const types = params.types ?? (params.type === undefined ? undefined : [params.type]);
      return tx.findPage("event", { created: params.created, types }, params, "/v1/events");
    },
  ),
];

/** A raw HTTP request. Header names are lower case. */
export interface ProviderRequest {
  readonly method: string;
  /** Path including the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** `application/x-www-form-urlencoded`. */
  readonly body: string;
}

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface ApiKeys {
  readonly secretKey: string;
  readonly publishableKey: string;
}

// Fixed paths come before paths with an id in the same position.
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

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(":id", "([^/]+)")}$`),
}));

function createErrorResponse(error: ProviderError): ProviderResponse {
  return createResponse(error.status, JSON.stringify({ error: error.error }));
}

function createResponse(status: number, body: string, headers: Record<string, string> = {}): ProviderResponse {
  const always = { "content-type": "application/json", "request-id": createId("req"), "stripe-version": API_VERSION };
  return { status, body, headers: { ...always, ...headers } };
}

/**
 * Returns the type of the API key in an authorization header.
 * @throws ProviderError if it is a live key or isn't one of the simulator's keys.
 */
function readKey(authorization: string | undefined, keys: ApiKeys): "secret" | "publishable" {
  const key = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "";
  const createError = (message: string) => new ProviderError(401, { type: "invalid_request_error", message });
  if (/^[a-z]+_live_/.test(key)) throw createError("The payment simulator doesn't accept live keys.");
  if (key === keys.secretKey) return "secret";
  if (key === keys.publishableKey) return "publishable";
  throw createError("Invalid API Key provided.");
}

/**
 * Handles a request to the provider's API: checks the key, the route and the parameters, then runs the route in one
 * transaction, which also saves the response for repeated idempotency keys.
 */
export async function dispatch(
  storage: Storage,
  environment: Environment,
  keys: ApiKeys,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  try {
    const keyType = readKey(request.headers.authorization, keys);
    const version = request.headers["stripe-version"];
    if (version !== undefined && version !== API_VERSION) throw notSimulated(`the API version ${version}`);
    const { pathname, search } = new URL(request.path, "http://simulator");
    const match = patterns.find(({ route, pattern }) => route.method === request.method && pattern.test(pathname));
    if (!match) throw notSimulated(`${request.method} ${pathname}`);
    if (keyType === "publishable" && !match.route.allowsPublishableKey) {
      const message = "This API call cannot be made with a publishable API key. Please use a secret API key.";
      throw new ProviderError(403, { type: "invalid_request_error", code: "secret_key_required", message });
    }
    const sent = parseForm(request.method === "POST" ? request.body : search.slice(1));
    const { expand, ...rest } = sent;
    const params = parseParameters(match.route.shape, rest);
    if (keyType === "publishable" && expand !== undefined) throw notSimulated("expand for a publishable key", "expand");
    const id = decodeURIComponent(match.pattern.exec(pathname)?.[1] ?? "");
    const key = request.method === "POST" ? request.headers["idempotency-key"] : undefined;
    const call = { id, params, byPublishableKey: keyType === "publishable" };
    const expanded = expand === undefined ? [] : list(text).read(expand, "expand");
    const fingerprint = digest(`${request.method} ${pathname} ${JSON.stringify(redactCard(sent))}`);
    return await runRoute(
      storage,
      { ...environment, idempotencyKey: key },
      match.route,
      call,
      expanded,
      key,
      fingerprint,
    );
  } catch (error) {
    if (error instanceof ProviderError) return createErrorResponse(error);
    throw error;
  }
}

async function runRoute(
  storage: Storage,
  environment: Environment,
  route: ProviderRoute,
  call: Parameters<ProviderRoute["run"]>[1],
  expand: readonly string[],
  key: string | undefined,
  fingerprint: string,
): Promise<ProviderResponse> {
  // A read doesn't wait for other requests.
  const access = route.method === "GET" ? "runInTransaction" : "runExclusive";
  return storage[access](async (client) => {
    if (key !== undefined) {
      const { rows } = await client.query<{ fingerprint: string; status: number; body: string }>(
        "select fingerprint, status, body from payment_simulator.idempotency_keys where key = $1",
        [key],
      );
      const [before] = rows;
      if (before?.fingerprint === fingerprint)
        return createResponse(before.status, before.body, { "idempotent-replayed": "true" });
      if (before) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
        return createErrorResponse(new ProviderError(400, { type: "idempotency_error", message }));
      }
    }
    const tx = new Transaction(client, environment);
    await client.query("savepoint work");
    let result: ProviderResponse;
    try {
      const object = await route.run(tx, call);
      await tx.flush();
      result = createResponse(200, JSON.stringify(await serialize(tx, object, expand)));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.keepsChanges) await tx.flush();
      else {
        tx.reset();
        await client.query("rollback to savepoint work");
      }
      result = createErrorResponse(error);
    }
    // A request rejected before it changed anything may be corrected and sent again with the same key.
    if (key !== undefined && (result.status === 200 || result.status === 402))
      await client.query(
        "insert into payment_simulator.idempotency_keys (key, fingerprint, status, body) values ($1, $2, $3, $4)",
        [key, fingerprint, result.status, result.body],
      );
    return result;
  });
}

/** Returns the parameters without the card number and security code, which must not be stored even as a hash. */
function redactCard({ card, ...sent }: Record<string, unknown>): Record<string, unknown> {
  if (typeof card !== "object" || card === null) return sent;
  const { number, cvc: _cvc, ...rest } = card as Record<string, unknown>;
  return { ...sent, card: { ...rest, last4: String(number).slice(-4) } };
}
