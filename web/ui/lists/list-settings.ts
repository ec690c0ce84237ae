import { browserStorage } from "#web/platform/storage.ts";

const PREFIX = "list:";

/** Returns the stored settings of a list, or null if there are none that `read` accepts. */
export function loadListSettings<TSettings>(
  name: string,
  read: (kept: Record<string, unknown>) => TSettings,
): TSettings | null {
  try {
    const kept: unknown = JSON.parse(browserStorage.get(PREFIX + name) ?? "null");
    return typeof kept === "object" && kept !== null ? read(kept as Record<string, unknown>) : null;
  } catch {
    // Ignore malformed data.
    return null;
  }
}

/** Stores the settings of a list until the user signs out. */
export function saveListSettings(name: string, settings: Readonly<Record<string, unknown>>): void {
  browserStorage.set(PREFIX + name, JSON.stringify(settings));
}
