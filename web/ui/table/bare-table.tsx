import { Checkbox, Skeleton, Table, UnstyledButton } from "@mantine/core";
import { IconArrowNarrowDown, IconArrowNarrowUp, IconArrowsSort } from "@tabler/icons-react";
import { useCallbackRef } from "@mantine/hooks";
import {
  type FocusEvent,
  Fragment,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useDeferredValue,
  useEffect,
  useOptimistic,
  useRef,
} from "react";
import { useOverflow } from "#web/ui/use-overflow.ts";
import classes from "./data-table.module.css";
import type { Column } from "./data-table.tsx";
import { type RowAction, RowActionsMenu } from "./row-actions-menu.tsx";
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
  /** Actions of a row, for the menu in the last column. */
  actions: ((row: TRow) => readonly RowAction[]) | undefined;
  /** A button for the last column, instead of `actions`. */
  action: ((row: TRow) => ReactNode) | undefined;
  /** Label of the button that opens the menu. */
  actionsLabel: (row: TRow) => string;
  /** Adds a column of checkboxes. */
  selection: RowSelection<TRow> | undefined;
}

const PLACEHOLDERS = ["1", "2", "3", "4"];

/** Rows that are drawn at once, about as many as a laptop shows. The others follow without delaying them. */
const FIRST_ROWS = 15;

const noActions = (): readonly RowAction[] => [];

/**
 * The table itself. On a phone its rows become cards (data-table.module.css). Selecting a row of 100 renders only that
 * row's checkbox again, so that the next paint comes within 100 ms.
 */
export function BareTable<TRow extends object>(props: BareTableProps<TRow>) {
  const { name, dense, columns, table, isLoading, actions, action, actionsLabel, selection } = props;
  const { frame, overflows } = useOverflow();
  const rememberFocus = useKeptFocus(frame);
  const getActions = useCallbackRef(actions ?? noActions);
  const changeSelection = useCallbackRef(selection?.change ?? noChange);
  const hasLastColumn = actions !== undefined || action !== undefined;
  const { rows } = table.getRowModel();
  const drawn = Math.max(useDeferredValue(rows.length), FIRST_ROWS);
  // Only a table that scrolls needs a tab stop.
  const scrolling = overflows ? { tabIndex: 0, role: "group", "aria-label": name } : { tabIndex: -1 };
  return (
    <div ref={frame} style={{ overflowX: "auto" }} onFocus={rememberFocus} {...scrolling}>
      <Table className={classes.table} aria-label={name} highlightOnHover mod={{ dense }}>
        <Table.Thead>
          <Table.Tr>
            {selection && <SelectPage table={table} selection={selection} />}
            {columns.map((column) => (
              <HeaderCell key={column.title} column={column} table={table} />
            ))}
            {hasLastColumn && (
              <Table.Th scope="col" data-align="right">
                Actions
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isLoading
            ? PLACEHOLDERS.map((row) => (
                <Table.Tr key={row} aria-hidden="true">
                  {selection && <Table.Td />}
                  {columns.map(({ title }) => (
                    <Table.Td key={title} data-title={title}>
                      <Skeleton height={12} width="70%" my={5} />
                    </Table.Td>
                  ))}
                  {hasLastColumn && <Table.Td className={classes.actionsCell} />}
                </Table.Tr>
              ))
            : rows.slice(0, drawn).map(({ id, original }) => (
                <Table.Tr key={id} bg={selection?.has(id) ? "var(--mantine-primary-color-light)" : undefined}>
                  {selection && (
                    <SelectRow
                      id={id}
                      label={selection.label(original)}
                      isSelected={selection.has(id)}
                      change={changeSelection}
                    />
                  )}
                  <Cells row={original} columns={columns} />
                  {actions && (
                    <ActionsCell
                      row={original}
                      label={actionsLabel(original)}
                      hasActions={actions(original).length > 0}
                      getActions={getActions}
                    />
                  )}
                  {action && (
                    <Table.Td className={classes.actionsCell}>
                      <div className={classes.wordyAction}>{action(original)}</div>
                    </Table.Td>
                  )}
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
  // The response to the click doesn't wait for the rows.
  const [isChecked, check] = useOptimistic(isEverySelected);
  return (
    <Table.Th scope="col" w="2.5rem">
      <Checkbox
        size="sm"
        radius="sm"
        aria-label="Select all on this page"
        checked={isChecked}
        indeterminate={selected > 0 && !isChecked}
        onChange={() =>
          startTransition(() => {
            check(!isEverySelected);
            props.selection.change(ids, !isEverySelected);
          })
        }
      />
    </Table.Th>
  );
}

const noChange = () => undefined;

interface SelectRowProps {
  id: string;
  label: string;
  isSelected: boolean;
  change: (ids: readonly string[], isSelected: boolean) => void;
}

const SelectRow = memo(function SelectRow({ id, label, isSelected, change }: SelectRowProps) {
  return (
    <Table.Td data-title="Select">
      <Checkbox
        size="sm"
        radius="sm"
        aria-label={`Select ${label}`}
        checked={isSelected}
        onChange={({ currentTarget }) => change([id], currentTarget.checked)}
      />
    </Table.Td>
  );
});

/** Lets an email address break after `@` and dots, so that words break only where they must. */
const breakAddress = (text: string) =>
  text.includes("@")
    ? text.split(/(?<=[@.])/).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts are identified only by their position
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))
    : text;

const Cells = memo(function Cells<TRow>({ row, columns }: { row: TRow; columns: readonly Column<TRow>[] }) {
  return columns.map(({ title, align, wrap, text, render }) => (
    <Table.Td key={title} data-title={title} data-align={align} data-wrap={wrap}>
      {render ? render(row) : breakAddress(text(row))}
    </Table.Td>
  ));
}) as <TRow>(props: { row: TRow; columns: readonly Column<TRow>[] }) => ReactNode;

interface ActionsCellProps<TRow> {
  row: TRow;
  label: string;
  hasActions: boolean;
  getActions: (row: TRow) => readonly RowAction[];
}

const ActionsCell = memo(function ActionsCell<TRow>({ row, label, hasActions, getActions }: ActionsCellProps<TRow>) {
  return (
    <Table.Td className={classes.actionsCell}>
      {hasActions && <RowActionsMenu label={label} getActions={() => getActions(row)} />}
    </Table.Td>
  );
}) as <TRow>(props: ActionsCellProps<TRow>) => ReactNode;

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

/** Moves the focus to the table when the row that had it is gone, for example after it was deleted. */
function useKeptFocus(frame: RefObject<HTMLDivElement | null>): (event: FocusEvent) => void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    if (!last.current || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) frame.current?.focus({ preventScroll: true });
  });
  return ({ target }) => {
    last.current = target;
  };
}
