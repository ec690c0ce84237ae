import { type KeyboardEvent, type RefObject, useEffect } from "react";

const FOCUSABLE = "a[href], button:not(:disabled)";

/** Focuses the search box of the page's first table when `/` is pressed outside fields and dialogs. */
export function useSlashFocusesSearch(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const handleKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.defaultPrevented || document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [box]);
}

/** Moves the focus between the rows of a table with the arrow keys. Enter then opens the row's link. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.defaultPrevented || isTyping(event.target) || !(event.target instanceof HTMLElement)) return;
  const row = event.target.closest("tbody tr");
  // A menu of a row handles the keys itself.
  if (!row || event.target.closest("[role=menu]") || event.target.getAttribute("aria-haspopup") === "menu") return;
  const next = event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling;
  const target = next?.querySelector<HTMLElement>(FOCUSABLE);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Moves the focus from the search box to the first row on ArrowDown. */
export function enterRows(event: KeyboardEvent<HTMLElement>, frame: HTMLElement | null): void {
  if (event.key !== "ArrowDown") return;
  const target = frame?.querySelector<HTMLElement>(`tbody tr :is(${FOCUSABLE})`);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable=true]") !== null;
}
