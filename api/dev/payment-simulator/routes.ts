import type { ObjectName } from "./objects.ts";
import { group, integer, type Parsed, type Shape, text } from "./parameters.ts";
import type { Transaction } from "./transaction.ts";

export interface ProviderRoute {
  /** Method and path, with at most one `:id` segment. */
  readonly call: string;
  readonly shape: Shape;
  /** Handles a request with validated parameters and the id from the path. Returns an object or a page of a list. */
  readonly run: Run<Shape>;
  /** True if browsers may call the route with the publishable key. */
  readonly allowsBrowser: boolean;
}

type Run<S extends Shape> = (tx: Transaction, params: Parsed<S>, id: string) => Promise<object>;
type Call = `${"GET" | "POST" | "DELETE"} /v1/${string}`;

/** Defines a route, such as `POST /v1/refunds`. Every route also accepts the `expand` parameter. */
export function route<S extends Shape>(call: Call, shape: S, run: Run<S>): ProviderRoute {
  return { call, shape, run: run as unknown as ProviderRoute["run"], allowsBrowser: false };
}

/** Defines a route that browsers may call with the publishable key. */
export function browserRoute<S extends Shape>(call: Call, shape: S, run: Run<S>): ProviderRoute {
  return { ...route(call, shape, run), allowsBrowser: true };
}

/** Defines the route that returns one object by id. */
export function getRoute(path: `/v1/${string}`, name: ObjectName): ProviderRoute {
  return route(`GET ${path}/:id`, {}, (tx, _params, id) => tx.get(name, id));
}

export const paging = { limit: integer, starting_after: text } satisfies Shape;

/** Filter of lists by the time of creation. */
export const createdSince = group({ gte: integer });

/**
 * Defines the route that lists objects. A filter is a field that must have the parameter's value, or one of its values.
 * @param fields dotted paths of fields whose filters are named differently
 */
export function listRoute(
  path: `/v1/${string}`,
  name: ObjectName,
  filters: Shape,
  fields: Readonly<Record<string, string>> = {},
): ProviderRoute {
  return route(`GET ${path}`, { ...filters, ...paging }, (tx, { limit, starting_after, ...given }) => {
    const { created, ...equal }: Readonly<Record<string, unknown>> = given;
    const where = Object.entries(equal).map(([key, value]) => [
      fields[key] ?? key,
      Array.isArray(value) ? (value as string[]) : String(value),
    ]);
    const { gte: since } = (created ?? {}) as { gte?: number };
    return tx.findPage(name, { where: Object.fromEntries(where), since }, { limit, starting_after }, path);
  });
}

/** Merges an update into metadata. Empty values remove their keys. */
export function mergeMetadata(
  before: Record<string, string>,
  given: Record<string, string> = {},
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ""));
}
