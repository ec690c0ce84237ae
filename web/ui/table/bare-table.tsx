import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./data-table.module.css";
import type { Column, Sort } from "./data-table.tsx";
import { IconArrowNarrowDown, IconArrowNarrowUp, IconArrowsSort } from "@tabler/icons-react";

export interface BareTableProps<TRow> {
  name: string;
  dense: boolean;
  columns: readonly Column<TRow>[];
  /** Rows of the current page; placeholders are shown while undefined. */
  rows: readonly TRow[] | undefined;
  rowId: (row: TRow) => string;
  /** Content of the last column, if there is one. */
  actions: ((row: TRow) => ReactNode) | undefined;
  sort: Sort | null;
  /** Null for lists that can't be sorted. */
  onSort: ((column: number) => void) | null;
}

const PLACEHOLDERS = [0, 1, 2, 3];

/** The table itself. On a phone its rows become cards (data-table.module.css). */
export function BareTable<TRow>({ name, dense, columns, rows, rowId, actions, sort, onSort }: BareTableProps<TRow>) {
  const { frame, overflows } = useOverflow();
  // Only a table that scrolls needs a tab stop.
  const scrolling = overflows ? { tabIndex: 0, role: "group", "aria-label": name } : {};
  return (
    <div ref={frame} className={classes.scroll} {...scrolling}>
      <table className={classes.table} aria-label={name} data-dense={dense || undefined}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <HeaderCell
                key={column.title}
                column={column}
                direction={sort?.column === index ? sort.direction : null}
                onSort={onSort && column.sortBy !== null ? () => onSort(index) : null}
              />
            ))}
            {actions && (
              <th scope="col" data-align="right">
                Actions
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <tr key={rowId(row)}>
                  {columns.map((column) => (
                    <td key={column.title} data-title={column.title} data-align={column.align} data-wrap={column.wrap}>
                      {column.render ? column.render(row) : column.text(row)}
                    </td>
                  ))}
                  {actions && <td className={classes.actionsCell}>{actions(row)}</td>}
                </tr>
              ))
            : PLACEHOLDERS.map((row) => (
                <tr key={row}>
                  {columns.map((column) => (
                    <td key={column.title} data-title={column.title} aria-label="Loading">
                      <span className={classes.placeholder} />
                    </td>
                  ))}
                  {actions && <td className={classes.actionsCell} aria-label="Loading" />}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function HeaderCell<TRow>(props: {
  column: Column<TRow>;
  direction: Sort["direction"] | null;
  onSort: (() => void) | null;
}) {
  const { column, direction, onSort } = props;
  return (
    <th scope="col" data-align={column.align} aria-sort={direction ?? undefined}>
      {onSort ? <SortButton title={column.title} direction={direction} onSort={onSort} /> : column.title}
    </th>
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

/** A sortable column header. `aria-sort` on its cell announces the order. */
function SortButton(props: { title: string; direction: Sort["direction"] | null; onSort: () => void }) {
  const { title, direction, onSort } = props;
  const Icon =
    direction === null ? IconArrowsSort : direction === "ascending" ? IconArrowNarrowUp : IconArrowNarrowDown;
  return (
    <button type="button" className={classes.sort} data-active={direction !== null || undefined} onClick={onSort}>
      {title}
      <Icon size={15} stroke={1.8} aria-hidden="true" />
    </button>
  );
}
