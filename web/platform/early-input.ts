declare global {
  interface Window {
    /** Buttons that were pressed before the page's scripts were ready, noted by `app/before-paint.js`. */
    pressedEarly?: Element[] | undefined;
  }
}

/** Parts of a prerendered page that become ready one after the other; `app/before-paint.js` reads these attributes. */
type ReadyPart = "shell" | "page";

/** Tells `app/before-paint.js` that React handles presses in this part from now on. */
export function markReady(part: ReadyPart): void {
  document.documentElement.setAttribute(`data-${part}-ready`, "");
}

/** Presses the buttons again that were pressed too early and lie within an element. */
export function repeatPresses(within: Element | null): void {
  const isWithin = (button: Element) => within?.contains(button) === true;
  const pressed = (window.pressedEarly ?? []).filter(isWithin);
  if (pressed.length === 0) return;
  window.pressedEarly = window.pressedEarly?.filter((button) => !isWithin(button));
  for (const button of pressed) {
    button.removeAttribute("aria-busy");
    if (button instanceof HTMLElement) button.click();
  }
}

/**
 * Tells React what was typed too early into boxes outside of forms, such as a search box. React keeps such text in the
 * box and yet does not know it. Forms do this in `form/typed-before.ts`.
 */
export function repeatTyping(within: Element | null): void {
  for (const box of within?.querySelectorAll<HTMLInputElement>("input:is([type=search], [type=text])") ?? []) {
    const typed = box.value;
    if (typed === box.defaultValue || box.closest("form[method=post]")) continue;
    // React overrides the setter of the element to notice changes: the first line passes it, the second goes around it.
    box.value = box.defaultValue;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, typed);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
