/**
 * Remembers an element that is about to lose the focus. Returns a function that focuses it again or, if it is gone by
 * then or disappears later with the focus, the closest part of the page around it, such as the table of a deleted row.
 */
export function rememberFocus(element: Element | null): () => void {
  const places: Element[] = [];
  for (let place = element; place && place !== document.body; place = place.parentElement) places.push(place);
  return function focusClosest() {
    for (const place of [...places, document.getElementById("main")]) {
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      if (place && document.activeElement === place) return watchRemoval(place, focusClosest);
    }
  };
}

/** Calls a function when an element disappears with the focus, such as a row's button when its list is read again. */
function watchRemoval(element: Element, onRemoved: () => void): void {
  const observer = new MutationObserver(() => {
    if (document.activeElement === element) return;
    observer.disconnect();
    if (!element.isConnected && document.activeElement === document.body) onRemoved();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
