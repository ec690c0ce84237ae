import { useSyncExternalStore } from "react";

/** Timeout of the server's health check, in milliseconds. */
const HEALTH_TIMEOUT_MS = 8_000;

/** Returns true while the browser reports that it has no network. */
export function isOffline(): boolean {
  return navigator.onLine === false;
}

/** {@link isOffline} as React state; false in prerendered pages. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline, () => false);
}

/** Sends a request to the server's health check and returns whether it succeeded. */
export async function isServerReachable(): Promise<boolean> {
  try {
    const response = await fetch("/health/live", { cache: "no-store", signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return response.ok;
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
