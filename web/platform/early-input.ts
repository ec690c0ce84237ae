declare global {
  interface Window {
    /** Buttons pressed before the page's scripts were ready, and links after them. `web/app/before-paint.js` records them. */
    pressedEarly?: Element[] | undefined;
    /** Fields with text from before hydration, each with its position among the page's fields. The same file records them. */
    typedEarly?: Map<HTMLInputElement, number> | undefined;
  }
}

/** Parts of a prerendered page that are hydrated one after the other. `web/app/before-paint.js` reads the matching attributes. */
type ReadyPart = "shell" | "page";

/** Signals to `web/app/before-paint.js` that React handles clicks in this part from now on. */
export function markReady(part: ReadyPart): void {
  document.documentElement.setAttribute(`data-${part}-ready`, "");
}

/** Clicks the buttons and links inside an element that were pressed before the scripts were ready. */
export function repeatEarlyClicks(within: Element | null): void {
  const isWithin = (button: Element) => within?.contains(button) === true;
  const pressed = (window.pressedEarly ?? []).filter(isWithin);
  if (pressed.length === 0) return;
  window.pressedEarly = window.pressedEarly?.filter((button) => !isWithin(button));
  const listLinks = () => [...(within?.querySelectorAll("a") ?? [])];
  const links = listLinks();
  for (const button of pressed) {
    button.removeAttribute("aria-busy");
    // React first renders what the buttons changed, such as where a link leads. It may replace the link.
    if (button instanceof HTMLAnchorElement) setTimeout(() => listLinks()[links.indexOf(button)]?.click());
    else if (button instanceof HTMLElement) button.click();
  }
}

/**
 * Replaces the frame of a page, then moves the focus to the same control of the shell and clicks the buttons that were
 * pressed in the frame.
 */
export function replaceFrame(root: Element, render: () => void): void {
  // The frame has no link that skips to the content.
  const list = () => [...root.querySelectorAll<HTMLElement>("a:not([href='#main']), button")];
  const before = list();
  const focused = before.findIndex((control) => control === document.activeElement);
  render();
  const after = list();
  after[focused]?.focus({ preventScroll: true });
  window.pressedEarly = window.pressedEarly?.flatMap((control) => {
    const same = after[before.findIndex((other) => other === control)];
    return same?.textContent === control.textContent ? [same] : [];
  });
  repeatEarlyClicks(root);
}

/**
 * Copies text that was typed before hydration into the fields that replace the original ones. React replaces the page's
 * elements if they differ from what it expects, for example because the browser has translated the page. Otherwise the
 * fields still have their text, and this does nothing.
 */
export function restoreReplacedFields(): void {
  const fields = document.querySelectorAll<HTMLInputElement>("#root :is(input, textarea)");
  for (const [old, position] of window.typedEarly ?? []) {
    const field = fields[position];
    if (old.isConnected || field?.name !== old.name || field.type !== old.type) continue;
    window.typedEarly?.delete(old);
    setSilently(field, old.value);
    if (document.activeElement === document.body) field.focus({ preventScroll: true });
  }
}

/** Sets the text of a field without telling React, which overrides the element's setter to notice changes. */
function setSilently(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
}

/**
 * Passes text to React that was typed before hydration into boxes outside forms, such as a search box. React leaves such
 * text in the box without updating its state. Forms use `web/ui/form/early-input.ts` instead. Then forgets early text, which
 * the form of another user on the same page would show.
 */
export function restoreEarlyTyping(within: Element | null): void {
  restoreReplacedFields();
  delete window.typedEarly;
  for (const box of within?.querySelectorAll<HTMLInputElement>("input:is([type=search], [type=text])") ?? []) {
    const typed = box.value;
    if (typed === box.defaultValue || box.closest("form[method=post]")) continue;
    box.value = box.defaultValue;
    setSilently(box, typed);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
