declare global {
  interface Window {
    /** Resolves when fonts have been added to a prerendered page (`web/app/after-paint.js`). */
    fontsHere?: Promise<void>;
  }
}

/**
 * Scrolls to the element of the URL's fragment, and again after the fonts have loaded, because they move the content above.
 * Returns a function that cancels it.
 */
export function scrollToElement(target: Element): () => void {
  let isActive = true;
  const go = () => {
    if (isActive) target.scrollIntoView({ block: "start", behavior: "instant" });
  };
  // Wait for the next frame, because content in a closed panel has no position until it opens.
  const frame = requestAnimationFrame(() => {
    go();
    void Promise.all([window.fontsHere, document.fonts?.ready]).then(go);
  });
  return () => {
    isActive = false;
    cancelAnimationFrame(frame);
  };
}

/** Returns the element of a `#fragment`, or null. */
export function findElementByHash(hash: string): Element | null {
  if (!hash) return null;
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // The fragment may be malformed.
    return null;
  }
}
