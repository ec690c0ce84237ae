import { useState } from "react";
import type { TableList } from "#web/ui/table/use-list-table.ts";
import type { UrlList } from "./use-url-list.ts";

export interface RemoteListOptions {
  /** Any other input of the query. A new value forgets the known cursors. */
  queryKey?: string;
  /** True if the API can count from the end of the list, so the last pages load as fast as the first ones. */
  countsFromEnd?: boolean;
}

/** A list that the API searches, sorts and pages. */
export interface RemoteList {
  search: string | null;
  /** Arguments of the query for the page. `offset` counts from the cursor `after` if the list has cursors and one is known. */
  page: { offset: number; first: number };
  after: string | null;
  /** True if `offset` counts from the end of the list (`countsFromEnd`). */
  fromEnd: boolean;
  /** Converts a result to the table's list. Lists with cursors pass the cursor at the end of the current page. */
  toTableList: <TRow>(
    answer: { rows: readonly TRow[]; total: number; isTotalCapped?: boolean } | undefined,
    endCursor?: string | null,
  ) => TableList<TRow>;
}

/** Converts the state of a list to the arguments of its query. */
export function useRemoteList(list: UrlList, options: RemoteListOptions = {}): RemoteList {
  const { queryKey = "", countsFromEnd = false } = options;
  const { place, pageSize } = list;
  const { search, sort, pageNumber } = place;
  const key = JSON.stringify([search, sort, pageSize, queryKey]);
  const [known, setKnown] = useState<KnownPages>({ ...nothing, key });
  const { ends, total, leftPage } = known.key === key ? known : nothing;
  const from = lastBefore(ends, pageNumber);
  const fromStart = { offset: (pageNumber - 1 - from.page) * pageSize, first: pageSize };
  const lastRow = total === null ? 0 : Math.min(total, pageNumber * pageSize);
  // The page that is being left keeps its query until the next one is shown.
  const fromEnd = total !== null && pageNumber !== leftPage && total - lastRow < fromStart.offset;

  return {
    search: search || null,
    page: fromEnd ? { offset: total - lastRow, first: lastRow - (pageNumber - 1) * pageSize } : fromStart,
    after: fromEnd ? null : from.cursor,
    fromEnd,
    toTableList: (answer, endCursor) => ({
      ...list,
      pageNumber,
      page: answer?.rows ?? [],
      total: answer?.total ?? 0,
      isTotalCapped: answer?.isTotalCapped ?? false,
      pageCount: countPages(answer, pageNumber, pageSize),
      goToPage: (page, replace) => {
        setKnown({
          key,
          ends: endCursor ? [...ends, { page: pageNumber, cursor: endCursor }] : ends,
          total: countsFromEnd && answer && !answer.isTotalCapped ? answer.total : null,
          leftPage: total === null ? pageNumber : leftPage,
        });
        list.goToPage(page, replace);
      },
    }),
  };
}

/** Cursor at the end of a page. */
interface PageEnd {
  readonly page: number;
  readonly cursor: string;
}

/** The known cursors of one query. */
interface KnownPages {
  readonly key: string;
  readonly ends: readonly PageEnd[];
  /** Number of rows of the whole list; null if unknown or if the API can't count from the end. */
  readonly total: number | null;
  /** The page on which the total was learned. */
  readonly leftPage: number;
}

const nothing: KnownPages = { key: "", ends: [], total: null, leftPage: 0 };

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
