import {
  type ColumnDef,
  type ColumnSort,
  columnFilteringFeature,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  functionalUpdate,
  globalFilteringFeature,
  type ReactTable,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useEffect, useMemo, useState } from "react";
import type { Column } from "./data-table.tsx";
import { createSearchMatcher } from "#web/platform/search-match.ts";
import { useMedia } from "#web/platform/use-media.ts";

/** Highest number of rows of a page on a narrow screen. */
const NARROW_PAGE = 10;

/** Title of the sorted column and the direction. */
export type Sort = ColumnSort;

/** Search, order and page of a list, with functions to change them. */
export interface ListState {
  query: string;
  search: (query: string) => void;
  /** True if a filter other than the search may leave out rows. */
  isFiltered: boolean;
  sort: Sort | null;
  /** Null if the order is fixed. */
  changeSort: ((sort: Sort | null) => void) | null;
  pageNumber: number;
  /** @param replace true if Back doesn't return to the current page */
  goToPage: (page: number, replace?: boolean) => void;
  pageSize: number;
  changePageSize: (size: number) => void;
  /** Titles of the hidden columns. */
  hidden: readonly string[];
  /** Null for a list without a column picker. */
  hideColumns: ((hidden: string[]) => void) | null;
}

/** A page of a list and its size. */
export interface TableList<TRow> extends ListState {
  /** Rows of the current page. */
  page: readonly TRow[];
  /** Number of rows that match the search. */
  total: number;
  /** True if there are more rows than `total`. */
  isTotalCapped?: boolean;
  pageCount: number;
}

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSortingFeature,
  rowPaginationFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

type Features = typeof features;

export type ListTable<TRow extends object> = ReactTable<Features, TRow>;

export interface ListTableOptions<TRow> {
  /** All rows, or undefined while they load. */
  rows: readonly TRow[] | undefined;
  columns: readonly Column<TRow>[];
  rowId: (row: TRow) => string;
  /** A list that the API searches, sorts and pages. Without it, the browser does. */
  remote: TableList<TRow> | undefined;
  /** State of a list that the browser searches, if the table doesn't keep it. */
  given: ListState | undefined;
  pageSize: number;
  /** False if no column can be sorted. */
  isSortable: boolean;
}

/** Creates the table of a list and the state that its search, footer and headers show. */
export function useListTable<TRow extends object>(options: ListTableOptions<TRow>) {
  const { rows, columns, rowId, remote, given, pageSize } = options;
  const local = useLocalState(pageSize);
  const state: ListState = remote ?? given ?? local;
  const sorting = state.sort ? [state.sort] : [];
  const isSortable = options.isSortable && state.changeSort !== null;
  const definitions = useMemo(
    () => columns.map((column, index) => defineColumn(column, index, isSortable)),
    [columns, isSortable],
  );
  const table = useTable<Features, TRow>({
    features,
    data: remote?.page ?? rows ?? noRows,
    columns: definitions,
    getRowId: rowId,
    state: {
      globalFilter: state.query,
      sorting,
      pagination: { pageIndex: state.pageNumber - 1, pageSize: state.pageSize },
    },
    manualFiltering: remote !== undefined,
    manualSorting: remote !== undefined,
    manualPagination: remote !== undefined,
    autoResetPageIndex: false,
    sortDescFirst: false,
    enableMultiSort: false,
    globalFilterFn: Object.assign(
      (row: { original: TRow }, _column: string, matches: ReturnType<typeof createSearchMatcher>) =>
        matches(columns.map(({ text }) => text(row.original))),
      { resolveFilterValue: createSearchMatcher },
    ),
    onSortingChange: (change) => state.changeSort?.(functionalUpdate(change, sorting)[0] ?? null),
  });
  const total = remote?.total ?? table.getPrePaginatedRowModel().rows.length;
  const pageCount = remote?.pageCount ?? Math.max(1, Math.ceil(total / state.pageSize));
  const list: Omit<TableList<TRow>, "page"> = {
    ...state,
    total,
    isTotalCapped: remote?.isTotalCapped ?? false,
    pageCount,
  };
  // Rows can disappear from the last page, and a URL can contain any page.
  const isPastEnd = table.getRowModel().rows.length === 0 && total > 0 && state.pageNumber > pageCount;
  const { goToPage } = state;
  useEffect(() => {
    if (isPastEnd) goToPage(pageCount, true);
  }, [isPastEnd, goToPage, pageCount]);
  return { table, list };
}

const noRows: never[] = [];

/** Describes a column to the table. The search matches whole rows, so only the first column runs it. */
function defineColumn<TRow extends object>(
  { title, text, sortBy }: Column<TRow>,
  index: number,
  isSortable: boolean,
): ColumnDef<Features, TRow> {
  return {
    id: title,
    accessorFn: sortBy ?? text,
    enableSorting: isSortable && sortBy !== null,
    enableGlobalFilter: index === 0,
    sortFn: (one, other, id) => compareValues(one.getValue(id), other.getValue(id)),
  };
}

function useLocalState(firstSize: number): ListState {
  const [state, setState] = useState({ query: "", sort: null as Sort | null, pageNumber: 1, pageSize: firstSize });
  const change = (part: Partial<typeof state>) => setState((now) => ({ ...now, pageNumber: 1, ...part }));
  return {
    ...state,
    pageSize: useVisiblePageSize(state.pageSize),
    search: (query) => change({ query }),
    isFiltered: false,
    changeSort: (sort) => change({ sort }),
    goToPage: (pageNumber) => change({ pageNumber }),
    changePageSize: (pageSize) => change({ pageSize }),
    hidden: noRows,
    hideColumns: null,
  };
}

/** Returns whether the viewport is below the width at which the page size is limited. */
export const useIsNarrow = () => useMedia("(max-width: 764px)");

/** Returns the page size, limited on narrow screens. */
export function useVisiblePageSize(size: number): number {
  return useIsNarrow() ? Math.min(size, NARROW_PAGE) : size;
}

const collator = new Intl.Collator("en-AU", { numeric: true, sensitivity: "base" });

function compareValues(one: unknown, other: unknown): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : collator.compare(String(one), String(other));
}
