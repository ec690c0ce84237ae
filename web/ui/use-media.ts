import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds; false in the prerendered page and where the browser can't tell. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia?.(query);
      media?.addEventListener?.("change", listener);
      return () => media?.removeEventListener?.("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia?.(query).matches ?? false,
    () => false,
  );
}
