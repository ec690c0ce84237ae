/**
 * Storage that never throws. Browsers refuse storage when site data is blocked and when it is full. Values that could not be
 * stored are kept in memory, so they work until the page is left.
 */
class SafeStorage {
  private readonly inMemory = new Map<string, string>();
  private readonly open: () => Storage;

  constructor(open: () => Storage) {
    this.open = open;
  }

  get(key: string): string | null {
    const kept = this.inMemory.get(key);
    if (kept !== undefined) return kept;
    try {
      return this.open().getItem(key);
    } catch {
      return null;
    }
  }

  /** Stores a value. Returns false if the browser refused it, so it lasts only until the page is left. */
  set(key: string, value: string): boolean {
    this.inMemory.delete(key);
    try {
      this.open().setItem(key, value);
      return true;
    } catch {
      this.inMemory.set(key, value);
      return false;
    }
  }

  remove(key: string): void {
    this.inMemory.delete(key);
    try {
      this.open().removeItem(key);
    } catch {
      // Nothing is stored.
    }
  }

  /** Removes all values except those that belong to the browser. Other tabs receive an event without a key. */
  clear(isKept: (key: string) => boolean): void {
    const kept = this.keys()
      .filter(isKept)
      .map((key) => [key, this.get(key)] as const);
    this.inMemory.clear();
    try {
      this.open().clear();
    } catch {
      // Nothing is stored.
    }
    for (const [key, value] of kept) if (value !== null) this.set(key, value);
  }

  keys(): string[] {
    try {
      return [...this.inMemory.keys(), ...Object.keys(this.open())];
    } catch {
      return [...this.inMemory.keys()];
    }
  }
}

/** Prefix of the keys that survive a sign-out. */
export const KEPT_PREFIX = "xer-portal.kept.";

/** Storage that all tabs of the browser share. */
export const browserStorage = new SafeStorage(() => window.localStorage);

/** Storage of this tab. It survives a reload. */
export const tabStorage = new SafeStorage(() => window.sessionStorage);
