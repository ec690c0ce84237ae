import { createHash } from "node:crypto";
import { catalogueRoutes } from "./catalogue.ts";
import { customerRoutes } from "./customers.ts";
import { notSimulated, ProviderError, invalid, list, parseForm, parseParameters, text } from "./parameters.ts";
import { intentRoutes } from "./intents.ts";
import { invoiceRoutes } from "./invoices.ts";
import { API_VERSION, createId } from "./objects.ts";
import { refundRoutes } from "./refunds.ts";
import { listRoute, type ProviderRoute, createdSince } from "./routes.ts";
import type { Storage } from "./storage.ts";
import { scheduleRoutes } from "./subscription-schedules.ts";
import { subscriptionUpdateRoutes } from "./subscription-updates.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { type Environment, Transaction, removeInternalFields } from "./transaction.ts";

// Fixed paths come before paths with an id in the same position.
const routes: readonly ProviderRoute[] = [
  ...invoiceRoutes,
  ...customerRoutes,
  ...intentRoutes,
  ...catalogueRoutes,
  ...subscriptionUpdateRoutes,
  ...subscriptionRoutes,
  ...scheduleRoutes,
  ...refundRoutes,
  listRoute("/v1/events", "event", { types: list(text), created: createdSince }, { types: "type" }),
];

const patterns = routes.map((each) => ({
  route: each,
  pattern: new RegExp(`^${each.call.replace(":id", "([^/]+)")}$`),
}));

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

/** The keys that the simulator accepts. */
export const apiKeys = { secretKey: "sk_test_simulator", publishableKey: "pk_test_simulator" } as const;

function createErrorResponse(error: ProviderError): ProviderResponse {
  return createResponse(error.status, JSON.stringify({ error: error.error }));
}

function createResponse(status: number, body: string, headers: Record<string, string> = {}): ProviderResponse {
  const always = { "content-type": "application/json", "request-id": createId("req"), "stripe-version": API_VERSION };
  return { status, body, headers: { ...always, ...headers } };
}

/** @throws ProviderError if the key isn't one of the simulator's keys, or may not call the route. */
function authorize(authorization: string | undefined, allowsBrowser: boolean): void {
  const createError = (status: number, message: string) =>
    new ProviderError(status, { type: "invalid_request_error", message });
  if (authorization === `Bearer ${apiKeys.secretKey}`) return;
  if (authorization !== `Bearer ${apiKeys.publishableKey}`) throw createError(401, "Invalid API Key provided.");
  if (!allowsBrowser) throw createError(403, "This API call cannot be made with a publishable API key.");
}

/** Work of a request that has been checked. */
interface Call {
  readonly run: (tx: Transaction) => Promise<object>;
  readonly expand: readonly string[];
  readonly isRead: boolean;
  readonly idempotencyKey: string | undefined;
  /** Hash that tells whether another request with the same key has the same parameters. */
  readonly fingerprint: string;
}

/**
 * Handles a request to the provider's API: checks the key, the route and the parameters, then runs the route in one
 * transaction, which also saves the response for repeated idempotency keys.
 */
export async function dispatch(
  storage: Storage,
  environment: Environment,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  try {
    return await runCall(storage, environment, checkRequest(request));
  } catch (error) {
    if (error instanceof ProviderError) return createErrorResponse(error);
    throw error;
  }
}

function checkRequest({ method, path, headers, body }: ProviderRequest): Call {
  const { pathname, search } = new URL(path, "http://simulator");
  const called = `${method} ${pathname}`;
  const match = patterns.find(({ pattern }) => pattern.test(called));
  authorize(headers.authorization, match?.route.allowsBrowser ?? false);
  const version = headers["stripe-version"];
  if (version !== undefined && version !== API_VERSION) throw notSimulated(`the API version ${version}`);
  if (!match) throw notSimulated(called);
  const sent = parseForm(method === "POST" ? body : search.slice(1));
  const { expand, ...rest } = sent;
  const params = parseParameters(match.route.shape, rest);
  const id = decodeURIComponent(match.pattern.exec(called)?.[1] ?? "");
  return {
    run: (tx) => match.route.run(tx, params, id),
    expand: expand === undefined ? [] : list(text).read(expand, "expand"),
    isRead: method === "GET",
    idempotencyKey: method === "POST" ? headers["idempotency-key"] : undefined,
    fingerprint: createHash("sha256")
      .update(`${called} ${JSON.stringify(redactCard(sent))}`)
      .digest("hex"),
  };
}

async function runCall(storage: Storage, environment: Environment, call: Call): Promise<ProviderResponse> {
  const { run, expand, isRead, idempotencyKey: key, fingerprint } = call;
  // A read doesn't wait for other requests.
  return storage[isRead ? "runInTransaction" : "runExclusive"](async (client) => {
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
        throw new ProviderError(400, { type: "idempotency_error", message });
      }
    }
    const tx = new Transaction(client, environment);
    if (!isRead) await client.query("savepoint work");
    let result: ProviderResponse;
    try {
      const object = await run(tx);
      await tx.flush();
      result = createResponse(200, JSON.stringify(await serialize(tx, object, expand)));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.keepsChanges) await tx.flush();
      else if (!isRead) await client.query("rollback to savepoint work");
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

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Converts an object or a list for a response. Removes internal fields and expands the paths in `expand`.
 * @throws ProviderError if a path can't be expanded.
 */
async function serialize(tx: Transaction, result: object, expand: readonly string[]): Promise<Fields> {
  const served = removeInternalFields(result);
  for (const path of expand) await expandPath(tx, [served], path.split("."), path);
  return served;
}

/** Expands a field of all parents, and then the rest of the path in what was found. */
async function expandPath(
  tx: Transaction,
  parents: readonly Fields[],
  [key, ...rest]: string[],
  path: string,
): Promise<void> {
  if (key === undefined) return;
  if (key === "payments") await addPayments(tx, parents);
  const found: Fields[] = [];
  for (const parent of parents) {
    if (typeof parent[key] === "string") {
      const object = await tx.find(parent[key]);
      parent[key] = object && removeInternalFields(object);
    }
    if (parent[key] === undefined) throw invalid(`This property cannot be expanded (${path}).`, "expand");
    found.push(...[parent[key]].flat().filter(isRecord));
  }
  await expandPath(tx, found, rest, path);
}

/** Adds the payments of invoices, with one query for all of them. The provider only includes them on request. */
async function addPayments(tx: Transaction, invoices: readonly Fields[]): Promise<void> {
  const found = await tx.findAll("invoice_payment", { invoice: invoices.map(({ id }) => String(id)) });
  const byInvoice = Map.groupBy(found, ({ invoice }) => invoice);
  for (const invoice of invoices) {
    const id = String(invoice.id);
    const data = structuredClone(byInvoice.get(id) ?? []);
    invoice.payments = { object: "list", url: `/v1/invoices/${id}/payments`, has_more: false, data };
  }
}
