const PREFIX = "list:";

/** Returns the stored settings of a list, or null if there are none that `read` accepts. */
export function loadListSettings<TSettings>(
  name: string,
  read: (kept: Record<string, unknown>) => TSettings,
): TSettings | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
    return typeof kept === "object" && kept !== null ? read(kept as Record<string, unknown>) : null;
  } catch {
    // Ignore malformed data and blocked storage.
    return null;
  }
}

/** Stores the settings of a list until the user signs out. */
export function saveListSettings(name: string, settings: Readonly<Record<string, unknown>>): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(settings));
  } catch {
    // Storage may be full or blocked.
  }
}
