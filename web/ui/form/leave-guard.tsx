import { use, useEffect, useRef, useState } from "react";
import { UNSAFE_NavigationContext } from "react-router-dom";
import { watchBackAndForward } from "#web/platform/back-and-forward.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";

/** Texts of the confirmation dialog. */
export interface LeaveTexts {
  readonly title: string;
  readonly message: string;
  /** The button that leaves. */
  readonly verb: string;
}

const unsaved: LeaveTexts = {
  title: "Leave without saving?",
  message: "Your changes haven't been saved and will be lost if you leave.",
  verb: "Leave",
};

interface History {
  push: (...target: unknown[]) => void;
  replace: (...target: unknown[]) => void;
  go: (delta: number) => void;
}

/**
 * Asks for confirmation before unsaved changes are lost: on links, back and forward, navigation by code, and, with the
 * browser's own dialog, on a reload or a closed tab. The portal's router isn't a data router and has no blocker, so the
 * guard intercepts its history while the form has changes.
 */
export function useLeaveGuard(hasChanges: boolean, words: LeaveTexts = unsaved) {
  const history = use(UNSAFE_NavigationContext).navigator as unknown as History;
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const released = useRef(false);

  useEffect(() => {
    if (!hasChanges) return undefined;
    released.current = false;
    const restoreHistory = interceptHistory(history, released, (again) => setLeave(() => again));
    const stopWatching = interceptBackAndForward(released, (again) => setLeave(() => again));
    const stay = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", stay);
    return () => {
      restoreHistory();
      stopWatching();
      window.removeEventListener("beforeunload", stay);
    };
  }, [hasChanges, history]);

  return {
    /** Turns the guard off after the changes have been saved. */
    release: () => {
      released.current = true;
    },
    /** The confirmation dialog, to be rendered with the form. */
    dialog: (
      <ConfirmDialog
        opened={leave !== null}
        title={words.title}
        confirmLabel={words.verb}
        cancelLabel="Stay"
        danger
        onConfirm={() => {
          released.current = true;
          setLeave(null);
          leave?.();
        }}
        onCancel={() => setLeave(null)}
      >
        {words.message}
      </ConfirmDialog>
    ),
  };
}

/** Intercepts the calls of the router's history. Returns a function that restores them. */
function interceptHistory(
  history: History,
  released: { readonly current: boolean },
  confirm: (again: () => void) => void,
): () => void {
  const { push, replace, go } = history;
  const confirmFirst =
    <Args extends unknown[]>(call: (...args: Args) => void) =>
    (...args: Args): void => {
      if (released.current) call.apply(history, args);
      else confirm(() => call.apply(history, args));
    };
  Object.assign(history, { push: confirmFirst(push), replace: confirmFirst(replace), go: confirmFirst(go) });
  return () => {
    Object.assign(history, { push, replace, go });
  };
}

/**
 * Intercepts the browser's back and forward. They have already happened when the event arrives, so they are undone before the
 * router handles them, and repeated after the user confirms. The router numbers its entries in `history.state.idx`.
 */
function interceptBackAndForward(
  released: { readonly current: boolean },
  confirm: (again: () => void) => void,
): () => void {
  const place = () => (window.history.state as { idx?: unknown } | null)?.idx;
  const from = place();
  let isUndoing = false;
  return watchBackAndForward((event) => {
    const to = place();
    if (released.current || typeof from !== "number" || typeof to !== "number") return;
    event.stopImmediatePropagation();
    if (isUndoing || to === from) {
      isUndoing = false;
      return;
    }
    isUndoing = true;
    window.history.go(from - to);
    confirm(() => window.history.go(to - from));
  });
}
