/**
 * Hides the keys that an input method handles from the page's own handlers: the Enter that commits a Japanese word must not
 * choose a search result, and the Escape that discards it must not close a dialog. Safari reports such keys only by their
 * code. Returns a function that stops it.
 */
export function ignoreKeysOfInputMethods(): () => void {
  const hide = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", hide, { capture: true });
  return () => window.removeEventListener("keydown", hide, { capture: true });
}
