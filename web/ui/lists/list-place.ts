import type { Sort } from "#web/ui/table/use-list-table.ts";

/** Search, order, page, page size and hidden columns of a list. */
export interface ListPlace {
  readonly search: string;
  readonly sort: Sort | null;
  readonly pageNumber: number;
  readonly pageSize: number;
  /** Titles of the hidden columns. */
  readonly hidden: readonly string[];
}

/** Maximum number of rows that the API returns at a time. */
const MOST_ROWS = 100;

/** Highest page number in a URL that the API accepts with the largest page size. */
const MOST_PAGES = 10_000;

/** URL parameters of a list. */
const names = ["q", "sort", "order", "page", "size", "hide"] as const;

/** Returns the parameters of one list, without the other parameters of the page. */
export function pickListParams(params: URLSearchParams, filters: readonly string[]): URLSearchParams {
  const own = new Set<string>([...filters, ...names]);
  return new URLSearchParams([...params].filter(([name]) => own.has(name)));
}

/** Returns the page's parameters with new ones for one list. */
export function replaceListParams(params: URLSearchParams, filters: readonly string[], next: URLSearchParams) {
  const own = new Set<string>([...filters, ...names]);
  return new URLSearchParams([...[...params].filter(([name]) => !own.has(name)), ...next]);
}

/** Reads a list's place from URL parameters such as `?q=rail&sort=Email&order=desc&page=2&size=50&hide=Phone`. */
export function readPlace(params: URLSearchParams, defaultSize: number): ListPlace {
  const [id, page, size] = [params.get("sort"), Number(params.get("page")), Number(params.get("size"))];
  return {
    search: (params.get("q") ?? "").trim(),
    sort: id === null ? null : { id, desc: params.get("order") === "desc" },
    pageNumber: isBetween(page, 1, MOST_PAGES) ? page : 1,
    pageSize: isBetween(size, 1, MOST_ROWS) ? size : defaultSize,
    hidden: params.getAll("hide"),
  };
}

/** Writes a list's place to URL parameters, without default values. */
export function writePlace(params: URLSearchParams, place: Partial<ListPlace>, defaultSize: number): void {
  const { search, sort, pageNumber = 1, pageSize = defaultSize, hidden = [] } = place;
  for (const name of names) params.delete(name);
  if (search) params.set("q", search);
  if (sort) params.set("sort", sort.id);
  if (sort?.desc) params.set("order", "desc");
  if (pageNumber > 1) params.set("page", String(pageNumber));
  if (pageSize !== defaultSize) params.set("size", String(pageSize));
  for (const title of hidden) params.append("hide", title);
}

/** The part of a place that the browser remembers for the next visit. */
export type ListSettings = Pick<ListPlace, "sort" | "pageSize" | "hidden">;

/** Reads stored settings. Ignores invalid values. */
export function parseListSettings({ pageSize, sort, hidden }: Record<string, unknown>): Partial<ListSettings> {
  const { id, desc } = (typeof sort === "object" && sort !== null ? sort : {}) as Record<string, unknown>;
  return {
    ...(isBetween(pageSize, 1, MOST_ROWS) ? { pageSize } : {}),
    ...(typeof id === "string" && typeof desc === "boolean" ? { sort: { id, desc } } : {}),
    ...(Array.isArray(hidden) ? { hidden: hidden.filter((title) => typeof title === "string") } : {}),
  };
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}
