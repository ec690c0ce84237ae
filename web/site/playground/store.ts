import { useSyncExternalStore } from "react";

/** One value that several parts of the page share, kept in memory alone. */
export interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  /** The value as React state. */
  use: () => T;
}

/** A {@link Store} that begins with `first`. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = () => value;
  return {
    get,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get, get),
  };
}
