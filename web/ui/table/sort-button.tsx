import { IconArrowNarrowDown, IconArrowNarrowUp, IconArrowsSort } from "@tabler/icons-react";
import classes from "./data-table.module.css";
import type { Sort } from "./data-table.tsx";

/** A column's header as a button; the order is told by `aria-sort` on its cell. */
export function SortButton(props: { title: string; direction: Sort["direction"] | null; onSort: () => void }) {
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
