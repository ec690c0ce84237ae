declare global {
  interface Window {
    /** Buttons pressed before the page's scripts were ready. `web/app/before-paint.js` records them. */
    pressedEarly?: Element[] | undefined;
  }
}

/** Parts of a prerendered page that are hydrated one after the other. `web/app/before-paint.js` reads the matching attributes. */
type ReadyPart = "shell" | "page";

/** Signals to `web/app/before-paint.js` that React handles clicks in this part from now on. */
export function markReady(part: ReadyPart): void {
  document.documentElement.setAttribute(`data-${part}-ready`, "");
}

/** Clicks the buttons inside an element that were pressed before the scripts were ready. */
export function repeatEarlyClicks(within: Element | null): void {
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
 * Passes text to React that was typed before hydration into boxes outside forms, such as a search box. React leaves such
 * text in the box without updating its state. Forms use `web/ui/form/early-input.ts` instead.
 */
export function restoreEarlyTyping(within: Element | null): void {
  for (const box of within?.querySelectorAll<HTMLInputElement>("input:is([type=search], [type=text])") ?? []) {
    const typed = box.value;
    if (typed === box.defaultValue || box.closest("form[method=post]")) continue;
    // React overrides the element's setter to notice changes. The first line goes through it, the second one bypasses it.
    box.value = box.defaultValue;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, typed);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
