import { NativeSelect, Pagination } from "@mantine/core";
import classes from "./data-table.module.css";
import type { TableList } from "./use-client-list.ts";

export interface TableFooterProps {
  list: Pick<TableList<unknown>, "total" | "pageNumber" | "pageCount" | "goToPage" | "pageSize" | "changePageSize">;
  pageSizes: readonly number[];
  name: string;
}

/** How many rows there are, how many a page shows, and the way to the others. */
export function TableFooter({ list, pageSizes, name }: TableFooterProps) {
  const { total, pageNumber, pageCount, goToPage, pageSize, changePageSize } = list;
  const first = total === 0 ? 0 : (pageNumber - 1) * pageSize + 1;
  const last = Math.min(total, pageNumber * pageSize);
  const sizes = pageSizes.includes(pageSize) ? pageSizes : [pageSize, ...pageSizes];
  return (
    <div className={classes.footer}>
      <output className={classes.count}>
        {first}–{last} of {total}
      </output>
      {total > Math.min(...sizes) && (
        <NativeSelect
          className={classes.sizes}
          size="xs"
          label="Rows per page"
          value={String(pageSize)}
          data={sizes.map(String)}
          onChange={(event) => changePageSize(Number(event.currentTarget.value))}
        />
      )}
      {pageCount > 1 && (
        <nav aria-label={`Pages of ${name}`}>
          <Pagination
            size="sm"
            total={pageCount}
            value={pageNumber}
            onChange={goToPage}
            getItemProps={(page) => ({
              "aria-label": `Page ${page}`,
              "aria-current": page === pageNumber ? "page" : undefined,
            })}
            getControlProps={(control) => ({
              "aria-label":
                control === "next" ? "Next page" : control === "previous" ? "Previous page" : `${control} page`,
            })}
          />
        </nav>
      )}
    </div>
  );
}
