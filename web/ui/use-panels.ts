import { useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { scrollToElement, findElementByHash } from "#web/platform/scroll-to-element.ts";

/** Open state of the items of one or more accordions. */
export interface Panels {
  isOpen: (id: string) => boolean;
  set: (id: string, open: boolean) => void;
  /** Opens these items and closes all others. */
  setAll: (ids: readonly string[]) => void;
}

/**
 * Keeps track of open items. If the URL's fragment is the id of an item or of an element in it, opens the item and scrolls
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
    const target = findElementByHash(hash);
    const item = target?.closest("[data-accordion-item]");
    if (!target || !item) return;
    set(item.id, true);
    return scrollToElement(target);
  }, [hash, key, set]);

  return { isOpen: (id) => open.has(id), set, setAll: useCallback((ids) => setOpen(new Set(ids)), []) };
}
