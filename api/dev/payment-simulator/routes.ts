import type { ObjectName } from "./billing-objects.ts";
import { type metadata, paging, type Parsed, type Reader, type Shape } from "./parameters.ts";
import type { Transaction } from "./transaction.ts";

/** A request to a route, with the id from the path and validated parameters. */
export interface Call<S extends Shape> {
  readonly id: string;
  readonly params: Parsed<S>;
  readonly byPublishableKey: boolean;
}

export interface ProviderRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path with at most one `:id` segment. */
  readonly path: string;
  readonly shape: Shape;
  /** True if browsers may call the route with the publishable key. */
  readonly allowsPublishableKey: boolean;
  run(tx: Transaction, call: Call<Shape>): Promise<object>;
}

/** Defines a route. Every route also accepts the `expand` parameter. */
export function defineRoute<S extends Shape>(
  method: ProviderRoute["method"],
  path: string,
  shape: S,
  run: (tx: Transaction, call: Call<S>) => Promise<object>,
  { allowsPublishableKey = false }: { allowsPublishableKey?: boolean } = {},
): ProviderRoute {
  return { method, path, shape, allowsPublishableKey, run: run as unknown as ProviderRoute["run"] };
}

/** Defines the route that returns one object by id. */
export function defineGetRoute(path: string, name: ObjectName): ProviderRoute {
  return defineRoute("GET", `${path}/:id`, {}, async (tx, { id }) => tx.get(name, id));
}

/** Defines the route that lists objects. `paths` contains the dotted paths of filters named differently from their field. */
export function defineListRoute<Filters extends Record<string, Reader<unknown>>>(
  path: string,
  name: ObjectName,
  filters: Filters,
  paths: Readonly<Record<string, string>> = {},
): ProviderRoute {
  return defineRoute("GET", path, { ...filters, ...paging }, async (tx, { params }) => {
    const {
      limit,
      starting_after,
      ending_before,
      expand: _expand,
      created,
      customer,
      ...rest
    } = params as Record<string, never>;
    const where = Object.fromEntries(Object.entries(rest).map(([key, value]) => [paths[key] ?? key, String(value)]));
    return tx.findPage(name, { customer, created, where }, { limit, starting_after, ending_before }, path);
  });
}

/** Merges an update into metadata. Empty values remove their keys, and an empty update removes all keys. */
export function mergeMetadata(
  before: Record<string, string>,
  given: Parsed<{ metadata: typeof metadata }>["metadata"],
): Record<string, string> {
  if (given === undefined) return before;
  if (Object.keys(given).length === 0) return {};
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ""));
}
