import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import classes from "./data-table.module.css";

/** The search box of a list. */
export function TableSearch({ value, onChange }: { value: string; onChange: (query: string) => void }) {
  return (
    <TextInput
      className={classes.search}
      type="search"
      label="Search"
      labelProps={{ className: classes.searchLabel }}
      size="sm"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
