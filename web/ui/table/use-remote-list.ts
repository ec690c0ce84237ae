import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { Sort } from "./data-table.tsx";
import { remember, remembered } from "./remembered.ts";
import { NARROW, NARROW_PAGE, type TableList } from "./use-client-list.ts";

const TYPING_PAUSE_MS = 250;

export interface RemoteListOptions {
  /** Rows a page at first, default 20; users have 10. */
  pageSize?: number;
  /** What stands in the search box at first. */
  query?: string;
  /** The api sorts, so the columns' headers do. */
  sortable?: boolean;
  /** Keeps page size and order under this name in the browser. */
  rememberAs?: string;
  /** Whatever else the rows depend on: another value leads back to page 1. */
  question?: string;
  /** The api can count from the end of the list, so the last pages are as fast as the first ones. */
  countsFromEnd?: boolean;
}

/** A list of which the api searches, sorts and pages the rows. */
export interface RemoteList {
  /**
   * What to ask the api for; `search` follows after a pause in typing. `offset` counts from the cursor `after`, where
   * the list has cursors and one is known.
   */
  filter: { search: string | null; offset: number; limit: number };
  after: string | null;
  /** `offset` counts from the end of the list, for a list that can (`countsFromEnd`). */
  fromEnd: boolean;
  /** What the person sorts by; null for the list's own order. */
  sort: Sort | null;
  /** The table's view of an answer; where the list has cursors, with the one at which the present page ends. */
  listOf: <TRow>(
    answer: { rows: readonly TRow[]; total: number; isTotalCapped?: boolean } | undefined,
    endCursor?: string | null,
  ) => TableList<TRow>;
}

/** Search, order, page and page size of a remote list. */
export function useRemoteList(asked: number | RemoteListOptions = {}): RemoteList {
  const options = typeof asked === "number" ? { pageSize: asked } : asked;
  const { pageSize: firstSize = 20, query: firstQuery = "", sortable = false, rememberAs, question = "" } = options;
  const { countsFromEnd = false } = options;
  const [kept] = useState(() => (rememberAs === undefined ? null : remembered(rememberAs, settingsIn)));
  const [query, setQuery] = useState(firstQuery);
  const [sort, setSort] = useState<Sort | null>(sortable ? (kept?.sort ?? null) : null);
  const [wantedSize, setPageSize] = useState(kept?.pageSize ?? firstSize);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const pageSize = narrow ? Math.min(wantedSize, NARROW_PAGE) : wantedSize;
  const [search] = useDebouncedValue(query.trim(), TYPING_PAUSE_MS);

  const key = JSON.stringify([search, sort, pageSize, question]);
  const [place, setPlace] = useState<Place>({ key, page: 1, ends: [] });
  const { page: pageNumber, ends, total = null }: Place = place.key === key ? place : { key, page: 1, ends: [] };
  const from = lastBefore(ends, pageNumber);
  const fromStart = { offset: (pageNumber - 1 - from.page) * pageSize, limit: pageSize };
  const lastRow = total === null ? 0 : Math.min(total, pageNumber * pageSize);
  const fromEnd = total !== null && total - lastRow < fromStart.offset;

  const keep = (settings: Settings) => {
    if (rememberAs !== undefined) remember(rememberAs, { ...settings });
  };

  return {
    filter: {
      search: search || null,
      ...(fromEnd ? { offset: total - lastRow, limit: lastRow - (pageNumber - 1) * pageSize } : fromStart),
    },
    after: fromEnd ? null : from.cursor,
    fromEnd,
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
      isTotalCapped: answer?.isTotalCapped ?? false,
      pageNumber,
      pageCount: pagesOf(answer, pageNumber, pageSize),
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
  /** Rows of the whole list; null where that is not known, or the api can't count from the end. */
  readonly total?: number | null;
}

/** Returns the number of pages; of a list whose rows are not all counted, one more than the full page being shown. */
function pagesOf(
  answer: { rows: readonly unknown[]; total: number; isTotalCapped?: boolean } | undefined,
  pageNumber: number,
  pageSize: number,
): number {
  const counted = Math.max(1, Math.ceil((answer?.total ?? 0) / pageSize));
  if (!answer?.isTotalCapped) return counted;
  return Math.max(counted, answer.rows.length < pageSize ? pageNumber : pageNumber + 1);
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
