import type { ReactNode } from "react";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { BareTable } from "./bare-table.tsx";
import classes from "./data-table.module.css";
import { type RowAction, RowActionsMenu } from "./row-actions-menu.tsx";
import { TableFooter } from "./table-footer.tsx";
import { ScheduleStrip } from "#web/ui/schedule-strip.tsx";
import { TableSearch } from "./table-search.tsx";
import { type TableList, useClientList } from "./use-client-list.ts";

export interface Column<TRow> {
  title: string;
  /** Text of the cell, which the search uses, too. */
  text: (row: TRow) => string;
  /** Content of the cell if it is more than its text. */
  render?: (row: TRow) => ReactNode;
  /** Sort key. Default is the text; `null` for a column that can't be sorted. */
  sortBy?: ((row: TRow) => string | number) | null;
  /** Default `left`; `right` for amounts. */
  align?: "left" | "right";
  /** Line breaks: default between words; `anywhere` for addresses, `never` for numbers and dates. */
  wrap?: "anywhere" | "never";
}

export interface DataTableProps<TRow> {
  /** Accessible name of the table. */
  name: string;
  columns: readonly Column<TRow>[];
  /** All rows, or the current page of a remote list; undefined while they load. */
  rows: readonly TRow[] | undefined;
  rowId: (row: TRow) => string;
  /** Name of a row in the label of its actions button: `Actions for …`. */
  rowLabel?: (row: TRow) => string;
  /** Actions of a row, shown in a menu. */
  actions?: (row: TRow) => readonly RowAction[];
  /** A button for the only action of a row. Use instead of `actions`. */
  action?: (row: TRow) => ReactNode;
  emptyMessage: string;
  /** Content below the empty message, e.g. a button. */
  emptyAction?: ReactNode;
  /** Error message if the rows could not be loaded. */
  error?: string | undefined;
  onRetry?: () => void;
  /** For lists that the API searches, pages and possibly sorts: {@link useRemoteList}. */
  remote?: TableList<TRow>;
  /** Rows per page. Default 20; users, contacts, licences, comments, promo codes and invoices use 10. */
  pageSize?: number;
  pageSizes?: readonly number[];
  /** Buttons right of the search box. */
  toolbar?: ReactNode;
  /** Smaller type and less padding, for tables with many columns. */
  dense?: boolean;
  /** Label of a running action, such as `Loading users`. The rows are dimmed meanwhile. */
  busy?: string | undefined;
  /** Content shown when the search has no results, e.g. a wider search. */
  noMatchAction?: ReactNode;
}

/** A list with search, sorting, pages, row actions, and loading, empty and error states. */
export function DataTable<TRow>(props: DataTableProps<TRow>) {
  const { name, columns, rows, rowId, rowLabel, actions, emptyMessage, emptyAction, error, onRetry, toolbar } = props;
  const { pageSize = 20, pageSizes = [10, 20, 50, 100], remote, action, busy, noMatchAction, dense = false } = props;
  const here = useClientList({ rows: rows ?? [], columns, pageSize });
  const list = remote ?? here;
  const loading = rows === undefined && !error;
  const getActionsLabel = (row: TRow) => (rowLabel ? `Actions for ${rowLabel(row)}` : "Actions");
  const lastCell = actions
    ? (row: TRow) => <RowActionsMenu label={getActionsLabel(row)} actions={actions(row)} />
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
        {empty && error === undefined && <EmptyState message={emptyMessage}>{emptyAction}</EmptyState>}
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

/** Dims the rows during an action. Appears after a delay, so fast responses don't cause flicker. */
function TableVeil({ label }: { label: string }) {
  return (
    <div className={classes.veil}>
      <progress className={classes.hidden} aria-label={label} />
      <ScheduleStrip moving />
    </div>
  );
}

export interface Sort {
  column: number;
  direction: "ascending" | "descending";
}
