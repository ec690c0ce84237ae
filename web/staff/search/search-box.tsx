import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, Suspense, useEffect, useId, useRef } from "react";
import { useNavigate } from "react-router-dom";
import classes from "./search-box.module.css";
import { type FoundHit, hrefOf } from "./search-source.ts";
import { useSearch } from "./use-search.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

// Comes with the first focus; what is found takes longer.
const loadHits = () => import("./search-hits.tsx");
const SearchHits = lazyPart(loadHits, "nothing");

/** The box's name, for eyes and ears; lists have boxes called Search beside it. */
export const FIND = "Find anyone or anything";

const EXAMPLES = "Code, machine, email, invoice, ABN, company or name";

export interface SearchBoxProps {
  /** `header`: small, its label for ears only. */
  look: "header" | "page";
  /** Takes the focus when it appears. */
  startsFocused?: boolean;
}

/** One box that finds users, licences, devices, invoices and contacts: a combobox after the WAI-ARIA pattern. */
export function SearchBox({ look, startsFocused = false }: SearchBoxProps) {
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const search = useSearch((hit) => open(hit));
  const { text, hits, words, active, isOpen, isAsking } = search;

  useFocusOnShortcut(box);
  useEffect(() => {
    if (startsFocused) box.current?.focus();
  }, [startsFocused]);

  function open(hit: FoundHit) {
    leave();
    void navigate(hrefOf(hit));
  }

  /** The page's title takes the focus only from what is no field. */
  function leave() {
    search.clear();
    box.current?.blur();
  }

  function press(event: KeyboardEvent) {
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
        {FIND}
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
          aria-busy={isAsking || undefined}
          placeholder={look === "page" ? EXAMPLES : FIND}
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
          onKeyDown={press}
        />
        {text === "" && (
          <kbd className={classes.keys} aria-hidden="true">
            {isApple() ? "⌘ K" : "Ctrl K"}
          </kbd>
        )}
      </div>
      <div className={classes.panel} data-open={(isOpen && (hits.length > 0 || words !== "")) || undefined}>
        <div id={`${id}-list`} role="listbox" aria-label="Matches" hidden={!isOpen || hits.length === 0}>
          {hits.length > 0 && (
            <Suspense fallback={null}>
              <SearchHits idStart={`${id}-`} hits={hits} active={active} onOpen={leave} />
            </Suspense>
          )}
        </div>
        <p role="status" className={classes.status} data-quiet={hits.length > 0 || !isOpen || undefined}>
          {words}
        </p>
      </div>
    </div>
  );
}

/** Ctrl+K, and ⌘K on a Mac, from anywhere on the page but behind an open dialog. */
function useFocusOnShortcut(box: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (document.querySelector("dialog[open], [role=dialog]")) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [box]);
}

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent);
