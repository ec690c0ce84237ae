import type { ReactNode } from "react";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { BareTable } from "./bare-table.tsx";
import classes from "./data-table.module.css";
import { type RowAction, RowActionsMenu } from "./row-actions-menu.tsx";
import { TableFooter } from "./table-footer.tsx";
import { ScheduleStrip } from "#web/ui/schedule-strip.tsx";
import { TableSearch } from "./table-search.tsx";
import { type TableList, useClientList } from "./use-client-list.ts";

/** One column of a list. */
export interface Column<TRow> {
  /** The column's header. */
  title: string;
  /** What the cell says; also what the search looks through. */
  text: (row: TRow) => string;
  /** What the cell shows, where that is more than its text. */
  render?: (row: TRow) => ReactNode;
  /** What the column is sorted by, default its text; `null` for a column that can't be sorted. */
  sortBy?: ((row: TRow) => string | number) | null;
  /** Default `left`; `right` for amounts. */
  align?: "left" | "right";
  /**
   * Where the cell's text may break: default between words; `anywhere` for addresses, `never` for numbers and dates.
   */
  wrap?: "anywhere" | "never";
}

export interface DataTableProps<TRow> {
  /** The table's name for screen readers. */
  name: string;
  columns: readonly Column<TRow>[];
  /** All rows, or a remote list's present page; undefined while they load. */
  rows: readonly TRow[] | undefined;
  rowId: (row: TRow) => string;
  /** Names one row in the label of its actions button: `Actions for …`. */
  rowLabel?: (row: TRow) => string;
  /** What can be done with a row; they open as a menu. */
  actions?: (row: TRow) => readonly RowAction[];
  /** The one thing that can be done with a row, as a button of its own; instead of `actions`. */
  action?: (row: TRow) => ReactNode;
  /** The sentence shown where rows would be. */
  emptySentence: string;
  /** Shown under the empty sentence, e.g. a button that leads on. */
  emptyAction?: ReactNode;
  /** The sentence when rows could not be fetched. */
  error?: string | undefined;
  onRetry?: () => void;
  /** For lists that the api searches and pages, and may sort: {@link useRemoteList}. */
  remote?: TableList<TRow>;
  /** Rows a page, default 20; users, contacts, licences, comments, promo codes and invoices have 10. */
  pageSize?: number;
  /** Sizes to choose from. */
  pageSizes?: readonly number[];
  /** Buttons right of the search box. */
  toolbar?: ReactNode;
  /** Smaller type and less room around it, for tables of many columns. */
  dense?: boolean;
  /** Names work under way, such as `Loading users`: the rows are veiled meanwhile. */
  busy?: string | undefined;
  /** Stands where the search finds nothing, e.g. a wider search. */
  noMatchAction?: ReactNode;
}

/** Every list of the portal: search, sorting, pages, row actions, and the states loading, empty and failed. */
export function DataTable<TRow>(props: DataTableProps<TRow>) {
  const { name, columns, rows, rowId, rowLabel, actions, emptySentence, emptyAction, error, onRetry, toolbar } = props;
  const { pageSize = 20, pageSizes = [10, 20, 50, 100], remote, action, busy, noMatchAction, dense = false } = props;
  const here = useClientList({ rows: rows ?? [], columns, pageSize });
  const list = remote ?? here;
  const loading = rows === undefined && !error;
  const labelOf = (row: TRow) => (rowLabel ? `Actions for ${rowLabel(row)}` : "Actions");
  const lastCell = actions
    ? (row: TRow) => <RowActionsMenu label={labelOf(row)} actions={actions(row)} />
    : action && ((row: TRow) => <div className={classes.wordyAction}>{action(row)}</div>);
  const noMatch = list.total === 0 && list.query.trim() !== "" && (remote !== undefined || rows?.length !== 0);
  const empty = rows?.length === 0 && !noMatch;

  return (
    <div className={classes.list} aria-busy={loading || busy !== undefined || undefined}>
      <div className={classes.toolbar}>
        <TableSearch value={list.query} onChange={list.search} />
        {toolbar && <div className={classes.tools}>{toolbar}</div>}
      </div>
      <div className={classes.frame}>
        {error === undefined && (
          <BareTable<TRow>
            name={name}
            dense={dense}
            columns={columns}
            rows={loading ? undefined : list.page}
            rowId={rowId}
            actions={lastCell}
            sort={list.sort}
            onSort={list.sortByColumn}
          />
        )}
        {error !== undefined && <ErrorState message={error} {...(onRetry ? { onRetry } : {})} />}
        {empty && error === undefined && <EmptyState message={emptySentence}>{emptyAction}</EmptyState>}
        {rows && noMatch && error === undefined && (
          <div className={classes.noMatch}>
            <p>Nothing matches “{list.query.trim()}”. Check the spelling or use fewer words.</p>
            {noMatchAction}
          </div>
        )}
        {busy !== undefined && error === undefined && <TableVeil label={busy} />}
      </div>
      {rows && !empty && error === undefined && <TableFooter list={list} pageSizes={pageSizes} name={name} />}
    </div>
  );
}

/** Lies over the rows while something is done with them; shows after a moment, so that quick answers don't flicker. */
function TableVeil({ label }: { label: string }) {
  return (
    <div className={classes.veil}>
      <progress className={classes.hidden} aria-label={label} />
      <ScheduleStrip moving />
    </div>
  );
}

/** Which column the list is sorted by, and which way. */
export interface Sort {
  column: number;
  direction: "ascending" | "descending";
}
