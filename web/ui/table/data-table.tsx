import {
  Group,
  LoadingOverlay,
  Paper,
  Stack,
  Text,
  VisuallyHidden,
  Button,
  Checkbox,
  Popover,
  NativeSelect,
} from "@mantine/core";
import { type ReactNode, useMemo, useRef, useState, type KeyboardEvent, useId } from "react";
import { formatError } from "#web/platform/server-error.ts";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { BareTable, type RowSelection } from "./bare-table.tsx";
import classes from "./data-table.module.css";
import type { RowAction } from "./row-actions-menu.tsx";
import { Pager, TableSearch } from "./table-controls.tsx";
import { type ListState, type TableList, useIsNarrow, useListTable } from "./use-list-table.ts";
import { isTyping } from "#web/platform/use-shortcut.ts";
import { IconColumns3 } from "@tabler/icons-react";
import { formatNumber } from "#schema/numbers.ts";

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
  /** Error if the rows could not be loaded. */
  error?: unknown;
  /** Message for an error that has no message of its own, such as "Unable to load the users." */
  failure?: string;
  onRetry?: () => unknown;
  /** For lists that the API searches, pages and possibly sorts: `useRemoteList`. */
  remote?: TableList<TRow>;
  /** State of a list in the URL, for a list that the browser searches: `useUrlList`. */
  list?: ListState;
  /** Rows per page. Default 20; users, contacts, licences, comments, promo codes and invoices use 10. */
  pageSize?: number;
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
  const { name, columns, rows, rowId, rowLabel, actions, emptyMessage, onRetry, toolbar } = props;
  const error = props.error ? formatError(props.error, props.failure) : undefined;
  const { pageSize = 20, remote, action, busy, noMatchAction, dense = false, toolsFrom = 0 } = props;
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
    // The picker doesn't offer the first column, so a link must not hide it for good.
    () => columns.filter(({ title }, at) => at === 0 || !hiddenTitles.split("\n").includes(title)),
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
      <Paper
        ref={frame}
        withBorder
        radius="lg"
        pos="relative"
        style={{ overflow: "hidden", borderColor: "var(--xp-line)" }}
        onKeyDown={moveBetweenRows}
      >
        {error !== undefined ? (
          <ErrorState message={error} onRetry={onRetry} />
        ) : (
          <>
            <BareTable<TRow>
              {...{ name, dense, table, isLoading, actions, action }}
              columns={shownColumns}
              actionsLabel={(row) => (rowLabel ? `Actions for ${rowLabel(row)}` : "Actions")}
              selection={props.selection}
            />
            {isEmpty && <EmptyState message={emptyMessage} />}
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
      {/* Screen readers announce its number of rows, also when a filter leaves none. */}
      {rows && hasTools && (!isEmpty || wasNarrowed) && error === undefined && <TableFooter list={list} name={name} />}
    </Stack>
  );
}

const FOCUSABLE = "a[href], button:not(:disabled)";
const CHECKBOX = "input[type=checkbox]";

/**
 * Moves the focus between the rows of a table with the arrow keys. Enter then opens the row's link, and
 * the space bar selects the row if the focus is on its checkbox.
 */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.defaultPrevented || isTyping(event.target) || !(event.target instanceof HTMLElement)) return;
  const row = event.target.closest("tbody tr");
  // A menu of a row handles the keys itself.
  if (!row || event.target.closest("[role=menu]") || event.target.getAttribute("aria-haspopup") === "menu") return;
  const next = event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling;
  const target = next?.querySelector<HTMLElement>(event.target.matches(CHECKBOX) ? CHECKBOX : FOCUSABLE);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Moves the focus from the search box to the first row on ArrowDown. */
function enterRows(event: KeyboardEvent<HTMLElement>, frame: HTMLElement | null): void {
  if (event.key !== "ArrowDown") return;
  const target = frame?.querySelector<HTMLElement>(`tbody tr :is(${FOCUSABLE})`);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

interface ColumnPickerProps {
  titles: readonly string[];
  hidden: readonly string[];
  onChange: (hidden: string[]) => void;
}

/** Button that opens a list of columns to show. The first column names the row, so it can't be hidden. */
function ColumnPicker({ titles, hidden, onChange }: ColumnPickerProps) {
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          px="sm"
          leftSection={<IconColumns3 size={18} stroke={1.7} aria-hidden="true" />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs" role="group" aria-label="Shown columns">
          {titles.slice(1).map((title) => (
            <Checkbox
              key={title}
              size="sm"
              label={title}
              checked={!hidden.includes(title)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? hidden.filter((one) => one !== title) : [...hidden, title])
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Sizes of a page to choose from. */
const PAGE_SIZES: readonly number[] = [10, 20, 50, 100];

/** Shows the row count, the pager and, unless the screen limits it, the page size. */
function TableFooter({ list, name }: { list: Omit<TableList<unknown>, "page">; name: string }) {
  const id = useId();
  const isNarrow = useIsNarrow();
  const { total, isTotalCapped = false, pageNumber, pageCount, goToPage, pageSize, changePageSize } = list;
  const first = (pageNumber - 1) * pageSize + 1;
  const last = isTotalCapped ? pageNumber * pageSize : Math.min(total, pageNumber * pageSize);
  const all = isTotalCapped ? `more than ${formatNumber(total)}` : formatNumber(total);
  const sizes = PAGE_SIZES.includes(pageSize) ? PAGE_SIZES : [pageSize, ...PAGE_SIZES];
  return (
    <Group gap="sm" c="dimmed" fz="sm">
      <Text component="output" inherit flex={1}>
        {total === 0 ? "0 matches" : `${formatNumber(first)}–${formatNumber(last)} of ${all}`}
      </Text>
      {total > Math.min(...sizes) && !isNarrow && (
        <Group gap="xs" wrap="nowrap">
          <label htmlFor={id}>Rows per page</label>
          <NativeSelect
            id={id}
            w="5rem"
            size="xs"
            classNames={{ input: classes.input }}
            data={sizes.map(String)}
            value={String(pageSize)}
            onChange={(event) => changePageSize(Number(event.currentTarget.value))}
          />
        </Group>
      )}
      {pageCount > 1 && <Pager name={name} page={pageNumber} pageCount={pageCount} onGo={goToPage} />}
    </Group>
  );
}
