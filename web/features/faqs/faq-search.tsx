import { IconSearch } from "@tabler/icons-react";
import classes from "./faq-search.module.css";

export interface FaqSearchProps {
  label: string;
  /** Words to try. */
  hint: string;
  query: string;
  onQuery: (query: string) => void;
  /** What was found, in a sentence; read out when it changes. */
  found: string;
}

/** The search box above the questions. */
export function FaqSearch({ label, hint, query, onQuery, found }: FaqSearchProps) {
  return (
    <div className={classes.search}>
      <form role="search" onSubmit={(event) => event.preventDefault()}>
        <label className={classes.label} htmlFor="faq-query">
          {label}
        </label>
        <div className={classes.field}>
          <IconSearch className={classes.icon} size={22} stroke={1.9} aria-hidden="true" />
          <input
            id="faq-query"
            className={classes.box}
            type="search"
            name="query"
            placeholder={hint}
            value={query}
            onChange={(event) => onQuery(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
          />
        </div>
      </form>
      <p className={classes.found} role="status">
        {found}
      </p>
    </div>
  );
}
