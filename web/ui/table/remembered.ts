const PREFIX = "list:";

/** What a person last chose for a list; null when nothing, or nothing that `read` accepts, is kept in this browser. */
export function remembered<TSettings>(
  name: string,
  read: (kept: Record<string, unknown>) => TSettings,
): TSettings | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
    return typeof kept === "object" && kept !== null ? read(kept as Record<string, unknown>) : null;
  } catch {
    // Rubbish, or a browser that keeps nothing: the list opens as it would for anybody.
    return null;
  }
}

/** Keeps what was chosen for a list until the person signs out. */
export function remember(name: string, settings: Readonly<Record<string, unknown>>): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(settings));
  } catch {
    // Full or forbidden: it is forgotten with the page.
  }
}
