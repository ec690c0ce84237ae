import { useSyncExternalStore } from "react";

let token = "";
const listeners = new Set<() => void>();

/** The personal access token that was pasted: one for all panels, in memory alone, gone with the page. */
export const pastedToken = {
  set(next: string): void {
    token = next;
    for (const listener of listeners) listener();
  },
};

/** The token as React state; empty without one. */
export function usePastedToken(): string {
  return useSyncExternalStore(
    subscribe,
    () => token,
    () => "",
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
