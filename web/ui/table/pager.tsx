import { Pagination } from "@mantine/core";
import classes from "./data-table.module.css";

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
    <nav aria-label={`Pages of ${name}`}>
      <Pagination
        total={pageCount}
        value={page}
        onChange={onGo}
        gap={4}
        classNames={{ control: classes.pager, dots: classes.pager }}
        getItemProps={(shown) => ({ "aria-label": `Page ${shown}` })}
        getControlProps={(control) => ({ "aria-label": control === "next" ? "Next page" : "Previous page" })}
      />
    </nav>
  );
}
