declare global {
  interface Window {
    /** The page's fonts have been added to it; noted by `web/app/after-paint.js`, on pages that were made ahead. */
    fontsHere?: Promise<void>;
  }
}

/**
 * Shows the place that the address names, now and once the fonts have come, which move what stands above it. Answers
 * how to let go of it.
 */
export function goToPlace(target: Element): () => void {
  let isWanted = true;
  const go = () => {
    if (isWanted) target.scrollIntoView({ block: "start", behavior: "instant" });
  };
  // Not before the page is drawn: what was folded away has no place until then.
  const frame = requestAnimationFrame(() => {
    go();
    void Promise.all([window.fontsHere, document.fonts?.ready]).then(go);
  });
  return () => {
    isWanted = false;
    cancelAnimationFrame(frame);
  };
}

/** The element that a `#fragment` names. */
export function placeOf(hash: string): Element | null {
  if (!hash) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // Not every fragment is well-formed.
    return null;
  }
}
