import { IconChevronDown } from "@tabler/icons-react";
import { useId } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { Pager } from "./pager.tsx";
import classes from "./table-tools.module.css";
import type { TableList } from "./use-client-list.ts";

export interface TableFooterProps {
  list: Pick<
    TableList<unknown>,
    "total" | "isTotalCapped" | "pageNumber" | "pageCount" | "goToPage" | "pageSize" | "changePageSize"
  >;
  pageSizes: readonly number[];
  name: string;
}

/** Shows the row count, page size and pager. */
export function TableFooter({ list, pageSizes, name }: TableFooterProps) {
  const id = useId();
  const { total, isTotalCapped = false, pageNumber, pageCount, goToPage, pageSize, changePageSize } = list;
  const first = (pageNumber - 1) * pageSize + 1;
  const last = isTotalCapped ? pageNumber * pageSize : Math.min(total, pageNumber * pageSize);
  const all = isTotalCapped ? `more than ${formatNumber(total)}` : formatNumber(total);
  const sizes = pageSizes.includes(pageSize) ? pageSizes : [pageSize, ...pageSizes];
  return (
    <div className={classes.footer}>
      <output className={classes.count}>
        {total === 0 ? "0 matches" : `${formatNumber(first)}–${formatNumber(last)} of ${all}`}
      </output>
      {total > Math.min(...sizes) && (
        <div className={classes.sizes}>
          <label htmlFor={id}>Rows per page</label>
          <span className={classes.sizeField}>
            <select
              id={id}
              className={classes.box}
              value={pageSize}
              onChange={(event) => changePageSize(Number(event.currentTarget.value))}
            >
              {sizes.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </select>
            <IconChevronDown size={15} stroke={2} aria-hidden="true" />
          </span>
        </div>
      )}
      {pageCount > 1 && <Pager name={name} page={pageNumber} pageCount={pageCount} onGo={goToPage} />}
    </div>
  );
}
