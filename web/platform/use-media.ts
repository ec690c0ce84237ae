import { useCallback, useSyncExternalStore } from "react";

/** Returns whether a media query matches. False in prerendered pages and browsers without support. */
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
