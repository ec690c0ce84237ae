import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { saveListSettings, loadListSettings } from "./list-settings.ts";
import { type Sort, type TableList, useVisiblePageSize } from "./use-list-table.ts";

const TYPING_PAUSE_MS = 250;

export interface RemoteListOptions {
  /** Initial rows per page. Default 20; users use 10. */
  pageSize?: number;
  /** Initial search, order, page and page size, such as those in the URL. Replaces what the browser stored. */
  initial?: Partial<ListPlace> | null;
  /** True if the API can sort the list. */
  sortable?: boolean;
  /** Name under which the browser stores page size and order. */
  rememberAs?: string;
  /** Any other input of the query. A new value returns to page 1. */
  queryKey?: string;
  /** True if the API can count from the end of the list, so the last pages load as fast as the first ones. */
  countsFromEnd?: boolean;
}

/** Search, order, page and page size of a list. */
export interface ListPlace {
  search: string;
  sort: Sort | null;
  pageNumber: number;
  pageSize: number;
}

/** A list that the API searches, sorts and pages. */
export interface RemoteList {
  /**
   * Arguments of the query. `search` changes after a pause in typing. `offset` counts from the cursor `after` if the list has
   * cursors and one is known.
   */
  filter: { search: string | null; offset: number; limit: number };
  after: string | null;
  /** True if `offset` counts from the end of the list (`countsFromEnd`). */
  fromEnd: boolean;
  /** The user's choices. A null order is the default order. */
  place: ListPlace;
  /** Converts a result to the table's list. Lists with cursors pass the cursor at the end of the current page. */
  toTableList: <TRow>(
    answer: { rows: readonly TRow[]; total: number; isTotalCapped?: boolean } | undefined,
    endCursor?: string | null,
  ) => TableList<TRow>;
}

/** Manages search, order, page and page size of a remote list. */
export function useRemoteList(given: number | RemoteListOptions = {}): RemoteList {
  const options = typeof given === "number" ? { pageSize: given } : given;
  const { pageSize: firstSize = 20, initial = null, sortable = false, rememberAs, queryKey = "" } = options;
  const { countsFromEnd = false } = options;
  const [kept] = useState(
    () => initial ?? (rememberAs === undefined ? null : loadListSettings<Partial<ListPlace>>(rememberAs, settingsIn)),
  );
  const [query, setQuery] = useState(kept?.search ?? "");
  const [sort, setSort] = useState<Sort | null>(sortable ? (kept?.sort ?? null) : null);
  const [wantedSize, setPageSize] = useState(kept?.pageSize ?? firstSize);
  const pageSize = useVisiblePageSize(wantedSize);
  const [search] = useDebouncedValue(query.trim(), TYPING_PAUSE_MS);

  const key = JSON.stringify([search, sort, pageSize, queryKey]);
  const [place, setPlace] = useState<Place>({ key, page: kept?.pageNumber ?? 1, ends: [] });
  const { page: pageNumber, ends, total = null }: Place = place.key === key ? place : { key, page: 1, ends: [] };
  const from = lastBefore(ends, pageNumber);
  const fromStart = { offset: (pageNumber - 1 - from.page) * pageSize, limit: pageSize };
  const lastRow = total === null ? 0 : Math.min(total, pageNumber * pageSize);
  const fromEnd = total !== null && total - lastRow < fromStart.offset;

  const keep = (settings: Settings) => {
    if (rememberAs !== undefined) saveListSettings(rememberAs, { ...settings });
  };

  return {
    filter: {
      search: search || null,
      ...(fromEnd ? { offset: total - lastRow, limit: lastRow - (pageNumber - 1) * pageSize } : fromStart),
    },
    after: fromEnd ? null : from.cursor,
    fromEnd,
    place: { search, sort, pageNumber, pageSize: wantedSize },
    toTableList: (answer, endCursor) => ({
      query,
      search: setQuery,
      sort,
      changeSort: sortable
        ? (next) => {
            setSort(next);
            keep({ pageSize: wantedSize, sort: next });
          }
        : null,
      page: answer?.rows ?? [],
      total: answer?.total ?? 0,
      isTotalCapped: answer?.isTotalCapped ?? false,
      pageNumber,
      pageCount: countPages(answer, pageNumber, pageSize),
      goToPage: (page) =>
        setPlace({
          key,
          page,
          ends: endCursor ? [...ends, { page: pageNumber, cursor: endCursor }] : ends,
          total: countsFromEnd && answer && !answer.isTotalCapped ? answer.total : null,
        }),
      pageSize,
      changePageSize: (size) => {
        setPageSize(size);
        keep({ pageSize: size, sort });
      },
    }),
  };
}

/** Cursor at the end of a page. */
interface PageEnd {
  readonly page: number;
  readonly cursor: string;
}

/** The current page of one query, and the known cursors of its pages. */
interface Place {
  readonly key: string;
  readonly page: number;
  readonly ends: readonly PageEnd[];
  /** Number of rows of the whole list; null if unknown or if the API can't count from the end. */
  readonly total?: number | null;
}

/** Returns the number of pages. If the rows are not all counted, one more than the current page if that page is full. */
function countPages(
  answer: { rows: readonly unknown[]; total: number; isTotalCapped?: boolean } | undefined,
  pageNumber: number,
  pageSize: number,
): number {
  const counted = Math.max(1, Math.ceil((answer?.total ?? 0) / pageSize));
  if (!answer?.isTotalCapped) return counted;
  return Math.max(counted, answer.rows.length < pageSize ? pageNumber : pageNumber + 1);
}

/** Returns the last page before `page` with a known cursor, or page 0 for the start of the list. */
function lastBefore(ends: readonly PageEnd[], page: number): { page: number; cursor: string | null } {
  let last: { page: number; cursor: string | null } = { page: 0, cursor: null };
  for (const end of ends) if (end.page < page && end.page >= last.page) last = end;
  return last;
}

type Settings = Pick<ListPlace, "pageSize" | "sort">;

function settingsIn({ pageSize, sort }: Record<string, unknown>): Partial<Settings> {
  const { id, desc } = (typeof sort === "object" && sort !== null ? sort : {}) as Record<string, unknown>;
  return {
    ...(isPageSize(pageSize) ? { pageSize } : {}),
    ...(typeof id === "string" && typeof desc === "boolean" ? { sort: { id, desc } } : {}),
  };
}

const MOST_ROWS = 100;

function isPageSize(size: unknown): size is number {
  return Number.isInteger(size) && Number(size) >= 1 && Number(size) <= MOST_ROWS;
}

/** Reads a list's place from URL parameters such as `?q=rail&sort=Email&order=desc&page=2&size=50`. */
export function readPlaceFromUrl(params: URLSearchParams): Partial<ListPlace> {
  const [id, page, size] = [params.get("sort"), Number(params.get("page")), Number(params.get("size"))];
  return {
    search: params.get("q") ?? "",
    sort: id === null ? null : { id, desc: params.get("order") === "desc" },
    ...(Number.isInteger(page) && page >= 1 && page <= MOST_PAGES ? { pageNumber: page } : {}),
    ...(isPageSize(size) ? { pageSize: size } : {}),
  };
}

/** Highest page number in a URL that the API accepts with the largest page size. */
const MOST_PAGES = 10_000;

/** Writes a list's place to URL parameters, without the default page size. */
export function writePlaceToUrl(place: Partial<ListPlace>, defaultSize: number, params: URLSearchParams): void {
  const { search, sort, pageNumber = 1, pageSize = defaultSize } = place;
  if (search) params.set("q", search);
  if (sort) params.set("sort", sort.id);
  if (sort?.desc) params.set("order", "desc");
  if (pageNumber > 1) params.set("page", String(pageNumber));
  if (pageSize !== defaultSize) params.set("size", String(pageSize));
}
