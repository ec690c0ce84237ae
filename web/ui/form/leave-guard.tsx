import { type ReactNode, use, useEffect, useRef, useState } from "react";
import { UNSAFE_NavigationContext } from "react-router-dom";
import { watchBackAndForward } from "#web/ui/back-and-forward.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";

/** What {@link useLeaveGuard} gives a form. */
export interface LeaveGuard {
  /** The question; to be rendered with the form. */
  dialog: ReactNode;
  /** From now on nobody is asked: what was typed has been saved. */
  letGo: () => void;
}

/** What the person is asked. */
export interface LeaveWords {
  readonly title: string;
  readonly question: string;
}

const unsaved: LeaveWords = {
  title: "Leave Without Saving?",
  question: "What you changed here is not saved yet, and is lost when you leave.",
};

interface History {
  push: (...target: unknown[]) => void;
  replace: (...target: unknown[]) => void;
  go: (delta: number) => void;
}

/**
 * Asks before what was typed is lost: on links, back and forward, going elsewhere by program, and, in the browser's own
 * words, on a reload or a closed tab. The portal's router has no blocker of its own (it is no data router), so the
 * calls of its history pass through here while the form has changes.
 */
export function useLeaveGuard(hasChanges: boolean, words: LeaveWords = unsaved): LeaveGuard {
  const history = use(UNSAFE_NavigationContext).navigator as unknown as History;
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const released = useRef(false);

  useEffect(() => {
    if (!hasChanges) return undefined;
    released.current = false;
    const giveBack = interpose(history, released, (again) => setLeave(() => again));
    const stopListening = askBackAndForward(released, (again) => setLeave(() => again));
    const stay = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", stay);
    return () => {
      giveBack();
      stopListening();
      window.removeEventListener("beforeunload", stay);
    };
  }, [hasChanges, history]);

  return {
    letGo: () => {
      released.current = true;
    },
    dialog: (
      <ConfirmDialog
        opened={leave !== null}
        title={words.title}
        danger
        onConfirm={() => {
          released.current = true;
          setLeave(null);
          leave?.();
        }}
        onCancel={() => setLeave(null)}
      >
        {words.question}
      </ConfirmDialog>
    ),
  };
}

/** Puts a question before the calls of the router's history; answers how to take it away again. */
function interpose(
  history: History,
  released: { readonly current: boolean },
  ask: (again: () => void) => void,
): () => void {
  const { push, replace, go } = history;
  const asking =
    <Args extends unknown[]>(call: (...args: Args) => void) =>
    (...args: Args): void => {
      if (released.current) call.apply(history, args);
      else ask(() => call.apply(history, args));
    };
  Object.assign(history, { push: asking(push), replace: asking(replace), go: asking(go) });
  return () => {
    Object.assign(history, { push, replace, go });
  };
}

/**
 * The browser's back and forward have happened when they are heard of: taken back, before the router hears of them,
 * and done again when the person wants it. The router numbers its entries in `history.state.idx`.
 */
function askBackAndForward(released: { readonly current: boolean }, ask: (again: () => void) => void): () => void {
  const place = () => (window.history.state as { idx?: unknown } | null)?.idx;
  const from = place();
  let takingBack = false;
  return watchBackAndForward((event) => {
    const to = place();
    if (released.current || typeof from !== "number" || typeof to !== "number") return;
    event.stopImmediatePropagation();
    if (takingBack || to === from) {
      takingBack = false;
      return;
    }
    takingBack = true;
    window.history.go(from - to);
    ask(() => window.history.go(to - from));
  });
}
