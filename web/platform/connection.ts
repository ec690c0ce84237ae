import { useSyncExternalStore } from "react";

/** How long to wait for the server's health check, ms. */
const HEALTH_TIMEOUT_MS = 8_000;

/** Returns true while the browser reports that it has no network. */
export function isOffline(): boolean {
  return navigator.onLine === false;
}

/** {@link isOffline} as React state; false in prerendered pages. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline, () => false);
}

/** Requests the server's health check and returns whether it answered. */
export async function serverAnswers(): Promise<boolean> {
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
