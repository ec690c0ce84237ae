import type { ObjectName } from "./billing-objects.ts";
import { type metadata, paging, type Parsed, type Reader, type Shape } from "./parameters.ts";
import type { Transaction } from "./transaction.ts";

/** What a call is given: the id in its path, its checked parameters, and whose key asked. */
export interface Call<S extends Shape> {
  readonly id: string;
  readonly params: Parsed<S>;
  readonly byPublishableKey: boolean;
}

/** One call of the provider's API. */
export interface ProviderRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path with at most one `:id`. */
  readonly path: string;
  readonly shape: Shape;
  /** Whether browsers may ask it with the publishable key. */
  readonly open: boolean;
  run(tx: Transaction, call: Call<Shape>): Promise<object>;
}

/** Declares a call; all of them know `expand` besides. */
export function route<S extends Shape>(
  method: ProviderRoute["method"],
  path: string,
  shape: S,
  run: (tx: Transaction, call: Call<S>) => Promise<object>,
  { open = false }: { open?: boolean } = {},
): ProviderRoute {
  return { method, path, shape, open, run: run as unknown as ProviderRoute["run"] };
}

/** The call that answers one object of a kind. */
export function retrieval(path: string, name: ObjectName): ProviderRoute {
  return route("GET", `${path}/:id`, {}, async (tx, { id }) => tx.get(name, id));
}

/** The call that lists objects of a kind, by the customer and by equal fields (their dotted paths). */
export function listing<Filters extends Record<string, Reader<unknown>>>(
  path: string,
  name: ObjectName,
  filters: Filters,
  paths: Readonly<Record<string, string>> = {},
): ProviderRoute {
  return route("GET", path, { ...filters, ...paging }, async (tx, { params }) => {
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
    return tx.page(name, { customer, created, where }, { limit, starting_after, ending_before }, path);
  });
}

/** Metadata as it is after an update: names given are set, empty ones taken away. */
export function mergedMetadata(
  before: Record<string, string>,
  given: Parsed<{ metadata: typeof metadata }>["metadata"],
): Record<string, string> {
  if (given === undefined) return before;
  if (Object.keys(given).length === 0) return {};
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ""));
}
