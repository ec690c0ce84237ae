import { Group, NativeSelect, Text } from "@mantine/core";
import { useId } from "react";
import { formatNumber } from "#schema/numbers.ts";
import classes from "./data-table.module.css";
import { Pager } from "./pager.tsx";
import type { TableList } from "./use-list-table.ts";

export interface TableFooterProps {
  list: Omit<TableList<unknown>, "page">;
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
    <Group gap="sm" c="dimmed" fz="sm">
      <Text component="output" inherit flex={1}>
        {total === 0 ? "0 matches" : `${formatNumber(first)}–${formatNumber(last)} of ${all}`}
      </Text>
      {total > Math.min(...sizes) && (
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
