import { useSyncExternalStore } from "react";

/** A value outside React that components can use as state. Prerendered pages and hydration have its first value. */
export function createStore<TValue>(first: TValue) {
  let value = first;
  const listeners = new Set<() => void>();
  const get = () => value;
  const getFirst = () => first;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next: TValue): void {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get, getFirst),
  };
}
