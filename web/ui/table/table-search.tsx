import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import classes from "./data-table.module.css";

export function TableSearch({ value, onChange }: { value: string; onChange: (query: string) => void }) {
  return (
    <TextInput
      type="search"
      size="sm"
      label="Search"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
      autoComplete="off"
      spellCheck={false}
      w={{ base: "100%", sm: "20rem" }}
      classNames={{ input: classes.input }}
    />
  );
}
