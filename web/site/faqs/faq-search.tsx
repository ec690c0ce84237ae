import { IconSearch, IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { IconButton } from "#web/ui/button.tsx";
import fields from "#web/ui/form/native-fields.module.css";
import { PageHero, type PageHeroProps } from "#web/ui/page-hero.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./faqs-page.module.css";
import { SEARCH_BOX } from "./use-url-query.ts";

export interface SearchHeroProps {
  content: PageHeroProps["content"] & {
    /** Label of the box, and example searches. */
    readonly search: { readonly label: string; readonly hint: string };
  };
  query: string;
  onQuery: (query: string) => void;
  /** Number of results in words. Screen readers announce it when it changes. */
  found: string;
}

/** The head of a page with a search box. */
export function SearchHero({ content, query, onQuery, found }: SearchHeroProps) {
  const { label, hint } = content.search;
  const box = useRef<HTMLInputElement>(null);

  function clear() {
    onQuery("");
    box.current?.focus();
  }

  return (
    <PageHero
      content={content}
      actions={
        <div className={classes.search} data-needs-scripts data-screen-only>
          <form role="search" onSubmit={(event) => event.preventDefault()}>
            <label htmlFor={SEARCH_BOX} style={{ fontWeight: 600 }}>
              {label}
            </label>
            <div style={{ position: "relative", marginBlock: "0.375rem 0.625rem" }}>
              <IconSearch className={classes.icon} size={22} stroke={1.9} aria-hidden="true" />
              <input
                ref={box}
                id={SEARCH_BOX}
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
          <p className={layout.note} role="status" style={{ minHeight: "1.6em" }}>
            {found}
          </p>
        </div>
      }
    />
  );
}
