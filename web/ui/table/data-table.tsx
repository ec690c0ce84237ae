import { Group, LoadingOverlay, Paper, Stack, Text, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { formatError } from "#web/platform/server-error.ts";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { BareTable, type RowSelection } from "./bare-table.tsx";
import { ColumnPicker } from "./column-picker.tsx";
import classes from "./data-table.module.css";
import type { RowAction } from "./row-actions-menu.tsx";
import { TableFooter } from "./table-footer.tsx";
import { TableSearch } from "./table-search.tsx";
import { type ListState, type TableList, useListTable } from "./use-list-table.ts";
import { enterRows, moveBetweenRows } from "./move-between-rows.ts";

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

export interface DataTableProps<TRow extends object> {
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
  /** Error if the rows could not be loaded. */
  error?: unknown;
  /** Message for an error that has no message of its own, such as "Unable to load the users." */
  failure?: string;
  onRetry?: () => void;
  /** For lists that the API searches, pages and possibly sorts: `useRemoteList`. */
  remote?: TableList<TRow>;
  /** State of a list in the URL, for a list that the browser searches: `useUrlList`. */
  list?: ListState;
  /** Rows per page. Default 20; users, contacts, licences, comments, promo codes and invoices use 10. */
  pageSize?: number;
  pageSizes?: readonly number[];
  /** With fewer rows than this, the table has no search, sorting and row count. Default 0. */
  toolsFrom?: number;
  /** Adds a column of checkboxes. */
  selection?: RowSelection<TRow>;
  /** Content between the search box and the table, e.g. the actions of the selected rows. */
  notice?: ReactNode;
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
export function DataTable<TRow extends object>(props: DataTableProps<TRow>) {
  const { name, columns, rows, rowId, rowLabel, actions, emptyMessage, emptyAction, onRetry, toolbar } = props;
  const error = props.error ? formatError(props.error, props.failure) : undefined;
  const { pageSize = 20, pageSizes = [10, 20, 50, 100], remote, action, busy, noMatchAction, dense = false } = props;
  const { toolsFrom = 0 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const hasTools = (rows?.length ?? 0) >= toolsFrom;
  const { table, list } = useListTable({
    rows,
    columns,
    rowId,
    remote,
    given: props.list,
    pageSize,
    isSortable: hasTools,
  });
  const { hidden, hideColumns } = list;
  const isLoading = rows === undefined && !error;
  const hiddenTitles = hidden.join("\n");
  const shownColumns = useMemo(
    () => columns.filter(({ title }) => !hiddenTitles.split("\n").includes(title)),
    [columns, hiddenTitles],
  );
  const query = list.query.trim();
  const hasNoMatch = list.total === 0 && query !== "" && (remote !== undefined || rows?.length !== 0);
  const isEmpty = rows?.length === 0 && !hasNoMatch;
  const isNarrowed = query !== "" || list.isFiltered;
  // The box stays once the list was narrowed. The rows of the last search are shown until the next ones arrive.
  const [wasNarrowed, setWasNarrowed] = useState(isNarrowed);
  if (isNarrowed && !wasNarrowed) setWasNarrowed(true);
  const hasSearch = wasNarrowed || (hasTools && !isEmpty && error === undefined);
  const hasColumnPicker = hideColumns !== null && hasSearch;

  return (
    <Stack gap="sm" miw={0} aria-busy={isLoading || busy !== undefined || undefined}>
      {isLoading && <VisuallyHidden component="progress" aria-label={`Loading ${name}`} />}
      {(hasSearch || toolbar) && (
        <Group justify={hasSearch ? "space-between" : "flex-end"} align="flex-end" gap="sm">
          {hasSearch && (
            <TableSearch
              value={list.query}
              onChange={list.search}
              onKeyDown={(event) => enterRows(event, frame.current)}
            />
          )}
          {(toolbar || hasColumnPicker) && (
            <Group gap="xs" className={classes.tools}>
              {toolbar}
              {hasColumnPicker && (
                <ColumnPicker titles={columns.map(({ title }) => title)} hidden={hidden} onChange={hideColumns} />
              )}
            </Group>
          )}
        </Group>
      )}
      {props.notice}
      <Paper ref={frame} withBorder radius="lg" pos="relative" className={classes.frame} onKeyDown={moveBetweenRows}>
        {error !== undefined ? (
          <ErrorState message={error} {...(onRetry ? { onRetry } : {})} />
        ) : (
          <>
            <BareTable<TRow>
              name={name}
              dense={dense}
              columns={shownColumns}
              table={table}
              isLoading={isLoading}
              actions={actions}
              action={action}
              actionsLabel={(row) => (rowLabel ? `Actions for ${rowLabel(row)}` : "Actions")}
              selection={props.selection}
            />
            {isEmpty && <EmptyState message={emptyMessage}>{emptyAction}</EmptyState>}
            {rows && hasNoMatch && (
              <Stack align="center" gap="sm" p="lg">
                <Text c="dimmed">Nothing matches “{query}”. Check the spelling or use fewer words.</Text>
                {noMatchAction}
              </Stack>
            )}
            <LoadingOverlay
              visible={busy !== undefined}
              role="progressbar"
              aria-label={busy}
              zIndex={1}
              overlayProps={{ color: "var(--xp-surface)", backgroundOpacity: 0.65 }}
              // A click isn't lost while it fades.
              style={{ pointerEvents: "none" }}
              // Fast responses don't cause flicker.
              transitionProps={{ duration: 150, enterDelay: 250 }}
            />
          </>
        )}
      </Paper>
      {rows && hasTools && !isEmpty && error === undefined && (
        <TableFooter list={list} pageSizes={pageSizes} name={name} />
      )}
    </Stack>
  );
}
