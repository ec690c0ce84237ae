import { useSyncExternalStore } from "react";

export type ColourScheme = "light" | "dark";

/** Storage key of the choice. `web/app/before-paint.js` reads it before the first paint. */
const KEY = "mantine-color-scheme-value";

const listeners = new Set<() => void>();
let inThisPage: ColourScheme | null = null;

/** Returns the user's colour scheme, or the system's if the user hasn't chosen one. */
export function useColourScheme(): ColourScheme {
  return useSyncExternalStore(subscribe, currentScheme, () => "light");
}

/** Sets the colour scheme in every tab. */
export function chooseColourScheme(scheme: ColourScheme): void {
  inThisPage = scheme;
  try {
    localStorage.setItem(KEY, scheme);
  } catch {
    // Storage may be blocked. The choice then lasts until the page is closed.
  }
  show();
}

function currentScheme(): ColourScheme {
  const chosen = inThisPage ?? stored();
  if (chosen) return chosen;
  return systemIsDark()?.matches ? "dark" : "light";
}

function stored(): ColourScheme | null {
  try {
    const chosen = localStorage.getItem(KEY);
    return chosen === "light" || chosen === "dark" ? chosen : null;
  } catch {
    return null;
  }
}

const systemIsDark = () => window.matchMedia?.("(prefers-color-scheme: dark)");

function show(): void {
  document.documentElement.dataset.mantineColorScheme = currentScheme();
  for (const listener of listeners) listener();
}

function chosenElsewhere({ key }: StorageEvent): void {
  if (key !== KEY && key !== null) return;
  inThisPage = null;
  show();
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
