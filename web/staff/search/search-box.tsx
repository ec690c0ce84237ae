import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, Suspense, useEffect, useId, useRef } from "react";
import { useNavigate } from "react-router-dom";
import classes from "./search-box.module.css";
import { type SearchHit, getHitUrl } from "./search-source.ts";
import { useSearch } from "./use-search.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

// Loads on first focus, before the first results arrive.
const loadHits = () => import("./search-hits.tsx");
const SearchHits = lazyPart(loadHits, "nothing");

/** Label of the search box. Table search boxes are called Search. */
export const SEARCH_LABEL = "Find anyone or anything";

const EXAMPLES = "Code, machine, email, invoice, ABN, company or name";

export interface SearchBoxProps {
  /** `header` is small, with a label for screen readers only. */
  look: "header" | "page";
  /** Focuses the box on mount. */
  startsFocused?: boolean;
}

/** Searches users, licences, devices, invoices and contacts. Follows the WAI-ARIA combobox pattern. */
export function SearchBox({ look, startsFocused = false }: SearchBoxProps) {
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const search = useSearch((hit) => open(hit));
  const { text, hits, statusText, active, isOpen, isLoading } = search;

  useFocusOnShortcut(box);
  useEffect(() => {
    if (startsFocused) box.current?.focus();
  }, [startsFocused]);

  function open(hit: SearchHit) {
    leave();
    void navigate(getHitUrl(hit));
  }

  /** Clears the search and removes focus, because the next page's title doesn't take focus from a field. */
  function leave() {
    search.clear();
    box.current?.blur();
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key === "Escape" && text) {
      event.preventDefault();
      event.stopPropagation();
      if (isOpen) search.close();
      else search.clear();
    } else if (event.key === "Enter") {
      event.preventDefault();
      search.enter();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      search.move(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  return (
    <div className={classes.search} data-look={look}>
      <label className={classes.label} htmlFor={`${id}-box`}>
        {SEARCH_LABEL}
      </label>
      <div className={classes.field}>
        <IconSearch className={classes.icon} size={18} stroke={1.8} aria-hidden="true" />
        <input
          ref={box}
          id={`${id}-box`}
          className={classes.box}
          type="text"
          role="combobox"
          aria-expanded={isOpen && hits.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && hits[active] ? `${id}-${active}` : undefined}
          aria-keyshortcuts="Control+K Meta+K"
          aria-busy={isLoading || undefined}
          placeholder={look === "page" ? EXAMPLES : SEARCH_LABEL}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => search.type(event.currentTarget.value)}
          onFocus={() => {
            loadHits().catch(() => undefined);
            search.show();
          }}
          onBlur={search.close}
          onKeyDown={handleKey}
        />
        {text === "" && (
          <kbd className={classes.keys} aria-hidden="true">
            {isAppleDevice() ? "⌘ K" : "Ctrl K"}
          </kbd>
        )}
      </div>
      <div className={classes.panel} data-open={(isOpen && (hits.length > 0 || statusText !== "")) || undefined}>
        <div id={`${id}-list`} role="listbox" aria-label="Matches" hidden={!isOpen || hits.length === 0}>
          {hits.length > 0 && (
            <Suspense fallback={null}>
              <SearchHits idStart={`${id}-`} hits={hits} active={active} onOpen={leave} />
            </Suspense>
          )}
        </div>
        <p role="status" className={classes.status} data-quiet={hits.length > 0 || !isOpen || undefined}>
          {statusText}
        </p>
      </div>
    </div>
  );
}

/** Focuses the box on Ctrl+K or ⌘K, unless a dialog is open. */
function useFocusOnShortcut(box: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const handleShortcut = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (document.querySelector("dialog[open], [role=dialog]")) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", handleShortcut);
    return () => document.removeEventListener("keydown", handleShortcut);
  }, [box]);
}

const isAppleDevice = () => /mac|iphone|ipad/i.test(navigator.userAgent);
