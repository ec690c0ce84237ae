import type { Session } from "#web/platform/session.ts";
import { createStore } from "./store.ts";

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
