import { useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";

/** Which items of one or more accordions are open. */
export interface Panels {
  isOpen: (id: string) => boolean;
  set: (id: string, open: boolean) => void;
  /** Opens these and no others; none closes all. */
  setAll: (ids: readonly string[]) => void;
}

/**
 * Keeps which items are open. An address with the `#id` of an item, or of anything within one, opens that item and goes
 * there.
 */
export function usePanels(): Panels {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { hash, key } = useLocation();

  const set = useCallback((id: string, isOpen: boolean) => {
    setOpen((before) => {
      if (before.has(id) === isOpen) return before;
      const after = new Set(before);
      if (isOpen) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);

  useEffect(() => {
    const target = hash ? document.getElementById(decoded(hash.slice(1))) : null;
    const item = target?.closest("[data-accordion-item]");
    if (!target || !item) return;
    set(item.id, true);
    // Only once it is open does it have a place.
    const frame = requestAnimationFrame(() => target.scrollIntoView({ block: "start", behavior: "instant" }));
    return () => cancelAnimationFrame(frame);
  }, [hash, key, set]);

  return {
    isOpen: (id) => open.has(id),
    set,
    setAll: useCallback((ids) => setOpen(new Set(ids)), []),
  };
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
