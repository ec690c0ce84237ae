import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import classes from "./data-table.module.css";
import { useShortcut } from "#web/platform/use-shortcut.ts";

export interface TableSearchProps {
  value: string;
  onChange: (query: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** The search box of a table. `/` focuses it. */
export function TableSearch({ value, onChange, onKeyDown }: TableSearchProps) {
  const box = useRef<HTMLInputElement>(null);
  useShortcut("/", () => {
    box.current?.focus();
    box.current?.select();
  });
  return (
    <TextInput
      ref={box}
      type="search"
      size="sm"
      aria-label="Search"
      placeholder="Search"
      value={value}
      onKeyDown={onKeyDown}
      aria-keyshortcuts="/"
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
      autoComplete="off"
      spellCheck={false}
      w={{ base: "100%", sm: "20rem" }}
      classNames={{ input: classes.input }}
    />
  );
}
