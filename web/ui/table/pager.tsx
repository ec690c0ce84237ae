import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import classes from "./table-tools.module.css";

export interface PagerProps {
  /** Name of the list, for the accessible name. */
  name: string;
  page: number;
  pageCount: number;
  onGo: (page: number) => void;
}

/** Links to the first page, the last page and those around the current page. */
export function Pager({ name, page, pageCount, onGo }: PagerProps) {
  return (
    <nav className={classes.pager} aria-label={`Pages of ${name}`}>
      <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => onGo(page - 1)}>
        <IconChevronLeft size={16} stroke={2} aria-hidden="true" />
      </button>
      {getVisiblePages(page, pageCount).map((shown, index) =>
        shown === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: gaps have no other name.
          <span key={`gap-${index}`} className={classes.gap} aria-hidden="true">
            …
          </span>
        ) : (
          <button
            key={shown}
            type="button"
            aria-label={`Page ${shown}`}
            aria-current={shown === page ? "page" : undefined}
            onClick={() => onGo(shown)}
          >
            {shown}
          </button>
        ),
      )}
      <button type="button" aria-label="Next page" disabled={page >= pageCount} onClick={() => onGo(page + 1)}>
        <IconChevronRight size={16} stroke={2} aria-hidden="true" />
      </button>
    </nav>
  );
}

/** Returns the page numbers to show; null is a gap. The number of entries stays the same, so buttons don't move under the pointer. */
export function getVisiblePages(page: number, pageCount: number): (number | null)[] {
  const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  if (pageCount <= 7) return all(1, pageCount);
  if (page <= 4) return [...all(1, 5), null, pageCount];
  if (page >= pageCount - 3) return [1, null, ...all(pageCount - 4, pageCount)];
  return [1, null, page - 1, page, page + 1, null, pageCount];
}
