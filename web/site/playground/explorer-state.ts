import type { Session } from "#web/platform/session.ts";
import { useSyncExternalStore } from "react";

/** A personal access token that was pasted. It is never stored: a reload forgets it. */
export interface PastedToken {
  readonly secret: string;
  /** Whose it is, or its last letters where it may not say that. */
  readonly name: string;
}

/** Asked with in place of the session, while there is one. */
export const pastedToken = createStore<PastedToken | null>(null);

/** Stands for whoever asks, a pasted token before a session; null for a visitor. */
export function askerOf(pasted: PastedToken | null, session: Session | null): string | null {
  return pasted?.secret ?? session?.claims.id ?? null;
}

/** What is told about an operation once it was run. */
export interface Run {
  /** What was run, to know whether it still stands in the editor. */
  readonly key: string;
  /** Who ran it, as {@link askerOf} says. */
  readonly asker: string | null;
  readonly cost: QueryCost | null;
  /** From sending to the whole answer, milliseconds. */
  readonly ms: number;
  readonly bytes: number;
  readonly isRefused: boolean;
}

/** What an operation costs, and what one may cost. */
export interface QueryCost {
  readonly requested: number;
  readonly limit: number;
}

export const lastRun = createStore<Run | null>(null);

/** The sentence on whom the chosen example needs; null when nothing stands in its way. */
export const chosenExample = createStore<{ readonly title: string; readonly group: string } | null>(null);

/** One value that several parts of the page share, kept in memory alone. */
interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  /** The value as React state. */
  use: () => T;
}

/** A {@link Store} that begins with `first`. */
function createStore<T>(first: T): Store<T> {
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
