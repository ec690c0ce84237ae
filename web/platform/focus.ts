/**
 * Remembers an element that is about to lose the focus. Returns a function that focuses it again or, if it is gone by then,
 * the closest part of the page around it, such as the table of a deleted row.
 */
export function rememberFocus(element: Element | null): () => void {
  const places: Element[] = [];
  for (let place = element; place && place !== document.body; place = place.parentElement) places.push(place);
  return () => {
    for (const place of [...places, document.getElementById("main")]) {
      if (place instanceof HTMLElement) place.focus({ preventScroll: true });
      if (place && document.activeElement === place) return;
    }
  };
}
