import { IconSearch, IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { IconButton } from "#web/ui/button.tsx";
import fields from "#web/ui/form/native-fields.module.css";
import layout from "#web/ui/layout.module.css";
import classes from "./faq-search.module.css";

export interface FaqSearchProps {
  label: string;
  /** Example searches. */
  hint: string;
  query: string;
  onQuery: (query: string) => void;
  /** Number of results in words. Screen readers announce it when it changes. */
  found: string;
}

/** Search box above the questions. */
export function FaqSearch({ label, hint, query, onQuery, found }: FaqSearchProps) {
  const box = useRef<HTMLInputElement>(null);

  function clear() {
    onQuery("");
    box.current?.focus();
  }

  return (
    <div className={classes.search} data-needs-scripts data-screen-only>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <label className={classes.label} htmlFor="faq-query">
          {label}
        </label>
        <div className={classes.field}>
          <IconSearch className={classes.icon} size={22} stroke={1.9} aria-hidden="true" />
          <input
            ref={box}
            id="faq-query"
            className={`${fields.box} ${classes.box}`}
            type="search"
            name="query"
            placeholder={hint}
            value={query}
            onChange={(event) => onQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") clear();
            }}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
          />
          {query && (
            <IconButton label="Clear the search" className={classes.clear} onClick={clear}>
              <IconX size={18} stroke={2} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      </form>
      <p className={`${layout.note} ${classes.found}`} role="status">
        {found}
      </p>
    </div>
  );
}
