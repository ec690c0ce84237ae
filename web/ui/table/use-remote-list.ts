import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { Sort } from "./data-table.tsx";
import { remember, remembered } from "./remembered.ts";
import { NARROW, NARROW_PAGE, type TableList } from "./use-client-list.ts";

const TYPING_PAUSE_MS = 250;

export interface RemoteListOptions {
  /** Rows a page at first, default 20; users have 10 (spec, admin §9). */
  pageSize?: number;
  /** What stands in the search box at first. */
  query?: string;
  /** The api sorts, so the columns' headers do. */
  sortable?: boolean;
  /** Keeps page size and order under this name in the browser. */
  rememberAs?: string;
  /** Whatever else the rows depend on: another value leads back to page 1. */
  question?: string;
}

/** A list of which the api searches, sorts and pages the rows. */
export interface RemoteList {
  /**
   * What to ask the api for; `search` follows after a pause in typing. `offset` counts from the cursor `after`, where
   * the list has cursors and one is known.
   */
  filter: { search: string | null; offset: number; limit: number };
  after: string | null;
  /** What the person sorts by; null for the list's own order. */
  sort: Sort | null;
  /** The table's view of an answer; where the list has cursors, with the one at which the present page ends. */
  listOf: <TRow>(
    answer: { rows: readonly TRow[]; total: number } | undefined,
    endCursor?: string | null,
  ) => TableList<TRow>;
}

/** Search, order, page and page size of a remote list. */
export function useRemoteList(asked: number | RemoteListOptions = {}): RemoteList {
  const options = typeof asked === "number" ? { pageSize: asked } : asked;
  const { pageSize: firstSize = 20, query: firstQuery = "", sortable = false, rememberAs, question = "" } = options;
  const [kept] = useState(() => (rememberAs === undefined ? null : remembered(rememberAs, settingsIn)));
  const [query, setQuery] = useState(firstQuery);
  const [sort, setSort] = useState<Sort | null>(sortable ? (kept?.sort ?? null) : null);
  const [wantedSize, setPageSize] = useState(kept?.pageSize ?? firstSize);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const pageSize = narrow ? Math.min(wantedSize, NARROW_PAGE) : wantedSize;
  const [search] = useDebouncedValue(query.trim(), TYPING_PAUSE_MS);

  const key = JSON.stringify([search, sort, pageSize, question]);
  const [place, setPlace] = useState<Place>({ key, page: 1, ends: [] });
  const { page: pageNumber, ends } = place.key === key ? place : { page: 1, ends: [] };
  const from = lastBefore(ends, pageNumber);

  const keep = (settings: Settings) => {
    if (rememberAs !== undefined) remember(rememberAs, { ...settings });
  };

  return {
    filter: { search: search || null, offset: (pageNumber - 1 - from.page) * pageSize, limit: pageSize },
    after: from.cursor,
    sort,
    listOf: (answer, endCursor) => ({
      query,
      search: setQuery,
      sort,
      sortByColumn: sortable
        ? (column) => {
            const next = nextSort(sort, column);
            setSort(next);
            keep({ pageSize: wantedSize, sort: next });
          }
        : null,
      page: answer?.rows ?? [],
      total: answer?.total ?? 0,
      pageNumber,
      pageCount: Math.max(1, Math.ceil((answer?.total ?? 0) / pageSize)),
      goToPage: (page) =>
        setPlace({ key, page, ends: endCursor ? [...ends, { page: pageNumber, cursor: endCursor }] : ends }),
      pageSize,
      changePageSize: (size) => {
        setPageSize(size);
        keep({ pageSize: size, sort });
      },
    }),
  };
}

/** Where a known page ends. */
interface PageEnd {
  readonly page: number;
  readonly cursor: string;
}

/** The present page of one question, and the pages' ends that are known of it. */
interface Place {
  readonly key: string;
  readonly page: number;
  readonly ends: readonly PageEnd[];
}

/** The last page before `page` whose end is known, 0 for the list's beginning. */
function lastBefore(ends: readonly PageEnd[], page: number): { page: number; cursor: string | null } {
  let last: { page: number; cursor: string | null } = { page: 0, cursor: null };
  for (const end of ends) if (end.page < page && end.page >= last.page) last = end;
  return last;
}

/** Ascending, then descending, then the list's own order again. */
function nextSort(now: Sort | null, column: number): Sort | null {
  if (now?.column !== column) return { column, direction: "ascending" };
  return now.direction === "ascending" ? { column, direction: "descending" } : null;
}

interface Settings {
  pageSize: number;
  sort: Sort | null;
}

const MOST_ROWS = 100;

function settingsIn({ pageSize, sort }: Record<string, unknown>): Partial<Settings> {
  const { column, direction } = (typeof sort === "object" && sort !== null ? sort : {}) as Record<string, unknown>;
  const isSort =
    Number.isInteger(column) && Number(column) >= 0 && (direction === "ascending" || direction === "descending");
  const isSize = Number.isInteger(pageSize) && Number(pageSize) >= 1 && Number(pageSize) <= MOST_ROWS;
  return {
    ...(isSize ? { pageSize: Number(pageSize) } : {}),
    ...(isSort ? { sort: { column: Number(column), direction } as Sort } : {}),
  };
}
