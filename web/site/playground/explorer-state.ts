import type { Session } from "#web/platform/session.ts";
import { useSyncExternalStore } from "react";

/** A personal access token pasted by the user. It is never stored, so a reload removes it. */
export interface PastedToken {
  readonly secret: string;
  /** Name of the owner and last characters of the token. Only the characters if the token may not read the profile. */
  readonly name: string;
}

/** The pasted token, which is used instead of the session. */
export const pastedToken = createStore<PastedToken | null>(null);

/** Returns an identifier of the caller: the pasted token, if any, or the user ID of the session. Null for a visitor. */
export function getCallerId(pasted: PastedToken | null, session: Session | null): string | null {
  return pasted?.secret ?? session?.claims.id ?? null;
}

/** Result of the last operation that was run. */
export interface Run {
  /** Key of the operation, to check whether it is still in the editor. */
  readonly key: string;
  /** Caller, as returned by {@link getCallerId}. */
  readonly callerId: string | null;
  readonly cost: QueryCost | null;
  /** Time until the response was complete, in milliseconds. */
  readonly ms: number;
  readonly bytes: number;
  readonly isRefused: boolean;
}

/** Cost of an operation, and the highest cost allowed. */
export interface QueryCost {
  readonly requested: number;
  readonly limit: number;
}

export const lastRun = createStore<Run | null>(null);

/** The example chosen last. */
export const chosenExample = createStore<{ readonly title: string; readonly group: string } | null>(null);

/** An in-memory value shared by several parts of the page. */
interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  /** The value as React state. */
  use: () => T;
}

/** Creates a {@link Store} with the initial value `first`. */
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
