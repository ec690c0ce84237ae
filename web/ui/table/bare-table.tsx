import { Checkbox, Skeleton, Table, UnstyledButton } from "@mantine/core";
import { IconArrowNarrowDown, IconArrowNarrowUp, IconArrowsSort } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./data-table.module.css";
import type { Column } from "./data-table.tsx";
import type { ListTable } from "./use-list-table.ts";

/** The rows that a user has selected. */
export interface RowSelection<TRow> {
  has: (id: string) => boolean;
  /** Name of a row in the label of its checkbox: `Select …`. */
  label: (row: TRow) => string;
  change: (ids: readonly string[], isSelected: boolean) => void;
}

export interface BareTableProps<TRow extends object> {
  name: string;
  dense: boolean;
  columns: readonly Column<TRow>[];
  table: ListTable<TRow>;
  /** True while the first rows load. Placeholders are shown instead. */
  isLoading: boolean;
  /** Content of the last column, if there is one. */
  actions: ((row: TRow) => ReactNode) | undefined;
  /** Adds a column of checkboxes. */
  selection: RowSelection<TRow> | undefined;
}

const PLACEHOLDERS = ["1", "2", "3", "4"];

/** The table itself. On a phone its rows become cards (data-table.module.css). */
export function BareTable<TRow extends object>(props: BareTableProps<TRow>) {
  const { name, dense, columns, table, isLoading, actions, selection } = props;
  const { frame, overflows } = useOverflow();
  // Only a table that scrolls needs a tab stop.
  const scrolling = overflows ? { tabIndex: 0, role: "group", "aria-label": name } : {};
  return (
    <div ref={frame} className={classes.scroll} {...scrolling}>
      <Table className={classes.table} aria-label={name} highlightOnHover mod={{ dense }}>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectPage table={table} selection={selection} />}
            {columns.map((column) => (
              <HeaderCell key={column.title} column={column} table={table} />
            ))}
            {actions && (
              <Table.Th scope="col" data-align="right">
                Actions
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isLoading
            ? PLACEHOLDERS.map((row) => (
                <Table.Tr key={row}>
                  {selection && <Table.Td aria-label="Loading" />}
                  {columns.map(({ title }) => (
                    <Table.Td key={title} data-title={title} aria-label="Loading">
                      <Skeleton height={12} width="70%" my={5} />
                    </Table.Td>
                  ))}
                  {actions && <Table.Td className={classes.actionsCell} aria-label="Loading" />}
                </Table.Tr>
              ))
            : table.getRowModel().rows.map(({ id, original }) => (
                <Table.Tr key={id} bg={selection?.has(id) ? "var(--mantine-primary-color-light)" : undefined}>
                  {selection && (
                    <Table.Td data-title="Select">
                      <SelectRow id={id} row={original} selection={selection} />
                    </Table.Td>
                  )}
                  {columns.map(({ title, align, wrap, text, render }) => (
                    <Table.Td key={title} data-title={title} data-align={align} data-wrap={wrap}>
                      {render ? render(original) : text(original)}
                    </Table.Td>
                  ))}
                  {actions && <Table.Td className={classes.actionsCell}>{actions(original)}</Table.Td>}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function SelectPage<TRow extends object>(props: { table: ListTable<TRow>; selection: RowSelection<TRow> }) {
  const ids = props.table.getRowModel().rows.map(({ id }) => id);
  const selected = ids.filter((id) => props.selection.has(id)).length;
  const isEverySelected = selected > 0 && selected === ids.length;
  return (
    <Table.Th scope="col" w="2.5rem">
      <Checkbox
        size="sm"
        radius="sm"
        aria-label="Select all on this page"
        checked={isEverySelected}
        indeterminate={selected > 0 && !isEverySelected}
        onChange={() => props.selection.change(ids, !isEverySelected)}
      />
    </Table.Th>
  );
}

function SelectRow<TRow>({ id, row, selection }: { id: string; row: TRow; selection: RowSelection<TRow> }) {
  return (
    <Checkbox
      size="sm"
      radius="sm"
      aria-label={`Select ${selection.label(row)}`}
      checked={selection.has(id)}
      onChange={({ currentTarget }) => selection.change([id], currentTarget.checked)}
    />
  );
}

const sortLooks = {
  none: { Icon: IconArrowsSort, label: undefined },
  asc: { Icon: IconArrowNarrowUp, label: "ascending" },
  desc: { Icon: IconArrowNarrowDown, label: "descending" },
} as const;

/** A column header. The one of a sortable column is a button, and `aria-sort` announces the order. */
function HeaderCell<TRow extends object>(props: { column: Column<TRow>; table: ListTable<TRow> }) {
  const { title, align } = props.column;
  const column = props.table.getColumn(title);
  const { Icon, label } = sortLooks[column?.getIsSorted() || "none"];
  return (
    <Table.Th scope="col" data-align={align} aria-sort={label}>
      {column?.getCanSort() ? (
        <UnstyledButton className={classes.sort} mod={{ active: label }} onClick={() => column.toggleSorting()}>
          {title}
          <Icon size={15} stroke={1.8} aria-hidden="true" />
        </UnstyledButton>
      ) : (
        title
      )}
    </Table.Th>
  );
}

function useOverflow() {
  const frame = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setOverflows(element.scrollWidth > element.clientWidth + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, overflows };
}
