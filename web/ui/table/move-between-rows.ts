import type { KeyboardEvent } from "react";
import { isTyping } from "#web/platform/use-shortcut.ts";

const FOCUSABLE = "a[href], button:not(:disabled)";
const CHECKBOX = "input[type=checkbox]";

/**
 * Moves the focus between the rows of a table with the arrow keys. Enter then opens the row's link, and
 * the space bar selects the row if the focus is on its checkbox.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.defaultPrevented || isTyping(event.target) || !(event.target instanceof HTMLElement)) return;
  const row = event.target.closest("tbody tr");
  // A menu of a row handles the keys itself.
  if (!row || event.target.closest("[role=menu]") || event.target.getAttribute("aria-haspopup") === "menu") return;
  const next = event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling;
  const target = next?.querySelector<HTMLElement>(event.target.matches(CHECKBOX) ? CHECKBOX : FOCUSABLE);
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
