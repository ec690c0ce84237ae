import { useMediaQuery } from "@mantine/hooks";
import { useMemo, useState } from "react";
import type { Column, Sort } from "./data-table.tsx";
import { createSearchMatcher } from "./search-match.ts";

/** Below this viewport width a page has at most {@link NARROW_PAGE} rows. */
export const NARROW = "(max-width: 764px)";
/** See {@link NARROW}. */
export const NARROW_PAGE = 10;

/** State of a list as a table shows it, with functions to change it. */
export interface TableList<TRow> {
  query: string;
  search: (query: string) => void;
  sort: Sort | null;
  /** Sorts ascending, then descending, then in the original order. Null if the order is fixed. */
  sortByColumn: ((column: number) => void) | null;
  /** Rows of the current page. */
  page: readonly TRow[];
  /** Number of rows that match the search. */
  total: number;
  /** True if there are more rows than `total`. */
  isTotalCapped?: boolean;
  pageNumber: number;
  pageCount: number;
  goToPage: (page: number) => void;
  pageSize: number;
  changePageSize: (size: number) => void;
}

const collator = new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" });

/** Searches, sorts and pages a list in the browser. */
export function useClientList<TRow>({
  rows,
  columns,
  pageSize: firstSize,
}: {
  rows: readonly TRow[];
  columns: readonly Column<TRow>[];
  pageSize: number;
}): TableList<TRow> {
  const [query, setQuery] = useState("");
  const [sort, setSort] = useState<Sort | null>(null);
  const [wantedPage, goToPage] = useState(1);
  const [wantedSize, setPageSize] = useState(firstSize);
  const narrow = useMediaQuery(NARROW);
  const pageSize = narrow ? Math.min(wantedSize, NARROW_PAGE) : wantedSize;

  const matching = useMemo(() => {
    const matches = createSearchMatcher(query);
    const found = query.trim() ? rows.filter((row) => matches(columns.map((column) => column.text(row)))) : [...rows];
    const column = sort && columns[sort.column];
    if (!column) return found;
    const key = column.sortBy ?? column.text;
    const order = sort.direction === "ascending" ? 1 : -1;
    return found.sort((one, other) => order * compare(key(one), key(other)));
  }, [rows, columns, query, sort]);

  const pageCount = Math.max(1, Math.ceil(matching.length / pageSize));
  const pageNumber = Math.min(wantedPage, pageCount);

  return {
    query,
    search: (next) => {
      setQuery(next);
      goToPage(1);
    },
    sort,
    sortByColumn: (column) => {
      goToPage(1);
      setSort((now) => {
        if (now?.column !== column) return { column, direction: "ascending" };
        return now.direction === "ascending" ? { column, direction: "descending" } : null;
      });
    },
    page: matching.slice((pageNumber - 1) * pageSize, pageNumber * pageSize),
    total: matching.length,
    pageNumber,
    pageCount,
    goToPage,
    pageSize,
    changePageSize: (size) => {
      setPageSize(size);
      goToPage(1);
    },
  };
}

function compare(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : collator.compare(String(one), String(other));
}
