import { useSyncExternalStore } from "react";
import { browserStorage } from "./storage.ts";

export type ColourScheme = "light" | "dark";

/** Storage key of the choice. `web/app/before-paint.js` reads it before the first paint. */
export const COLOUR_SCHEME_KEY = "mantine-color-scheme-value";

const listeners = new Set<() => void>();

/** Returns the user's colour scheme, or the system's if the user hasn't chosen one. */
export function useColourScheme(): ColourScheme {
  return useSyncExternalStore(subscribe, currentScheme, () => "light");
}

/** Sets the colour scheme in every tab. */
export function chooseColourScheme(scheme: ColourScheme): void {
  browserStorage.set(COLOUR_SCHEME_KEY, scheme);
  show();
}

function currentScheme(): ColourScheme {
  const chosen = browserStorage.get(COLOUR_SCHEME_KEY);
  if (chosen === "light" || chosen === "dark") return chosen;
  return systemIsDark()?.matches ? "dark" : "light";
}

const systemIsDark = () => window.matchMedia?.("(prefers-color-scheme: dark)");

function show(): void {
  document.documentElement.dataset.mantineColorScheme = currentScheme();
  for (const listener of listeners) listener();
}

function chosenElsewhere({ key }: StorageEvent): void {
  if (key === COLOUR_SCHEME_KEY || key === null) show();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("storage", chosenElsewhere);
    systemIsDark()?.addEventListener?.("change", show);
    document.documentElement.dataset.mantineColorScheme = currentScheme();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener("storage", chosenElsewhere);
    systemIsDark()?.removeEventListener?.("change", show);
  };
}
