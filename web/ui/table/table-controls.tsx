import { Button, Pagination, TextInput } from "@mantine/core";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
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

/** The button of a table that adds a row. */
export function AddButton(props: { variant?: "default"; onClick: () => void; children: string }) {
  return <Button size="sm" leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />} {...props} />;
}

interface PagerProps {
  /** Name of the list, for the accessible name. */
  name: string;
  page: number;
  pageCount: number;
  onGo: (page: number) => void;
}

/** Links to the first page, the last page and those around the current page. */
export function Pager({ name, page, pageCount, onGo }: PagerProps) {
  const nav = useRef<HTMLElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    if (!wasPressed.current) return;
    wasPressed.current = false;
    // The pressed button may have another page now, be disabled, or be gone.
    if (document.activeElement?.matches("[data-step]:enabled")) return;
    nav.current?.querySelector<HTMLElement>("[aria-current=page]")?.focus({ preventScroll: true });
  }, [page]);
  return (
    <nav ref={nav} aria-label={`Pages of ${name}`}>
      <Pagination
        total={pageCount}
        value={page}
        onChange={(next) => {
          wasPressed.current = next !== page;
          onGo(next);
        }}
        gap={4}
        classNames={{ control: classes.pager, dots: classes.pager }}
        getItemProps={(shown) => ({ "aria-label": `Page ${shown}` })}
        getControlProps={(control) => ({
          "aria-label": control === "next" ? "Next page" : "Previous page",
          "data-step": true,
        })}
      />
    </nav>
  );
}
