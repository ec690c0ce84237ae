import { type RefObject, useEffect, useRef, useState } from "react";

/** Returns a reference for a box, and whether its content is wider than it, so that it scrolls. */
export function useOverflow(): { frame: RefObject<HTMLDivElement | null>; overflows: boolean } {
  const frame = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setOverflows(element.scrollWidth > element.clientWidth + 1));
    // The content can become wider alone, for example when a column is shown.
    for (const box of [element, ...element.children]) observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { frame, overflows };
}
