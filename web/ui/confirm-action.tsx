import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import { notify } from "#web/platform/notifications.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

export interface Confirmation {
  title: string;
  text: ReactNode;
  /** The verb of the action. */
  confirmLabel: string;
  /** For actions that can't be undone. */
  danger?: boolean;
  /** Runs the action. The dialog closes when it succeeds. */
  run: () => Promise<unknown>;
  /** Notification for a failure that has no message of its own, such as "Unable to revoke the token." */
  failure: string;
  /** Called after a failure, when the dialog has closed. Without it, the dialog stays open so that the user can retry. */
  onFailure?: () => void;
}

/** A confirmation on the screen. It stays there while its dialog closes. */
interface Asked extends Confirmation {
  readonly opened: boolean;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

function show(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the user to confirm an action, then runs it. */
export function confirmAction(confirmation: Confirmation): void {
  show({ ...confirmation, opened: true });
}

/** Shows the dialogs of {@link confirmAction}. Leaving the page closes them. */
export function ConfirmationHost() {
  const shown = useSyncExternalStore(subscribe, () => asked);
  const { pathname } = useLocation();
  useEffect(() => () => show(null), [pathname]);
  if (!shown) return null;
  const { title, text, confirmLabel, danger, opened, run, failure, onFailure } = shown;

  // The action may have asked for another confirmation.
  const close = () => asked === shown && show({ ...shown, opened: false });

  async function confirm() {
    notify.clearErrors();
    try {
      await run();
      close();
    } catch (error) {
      notify.failure(error, failure);
      if (!onFailure) return;
      close();
      onFailure();
    }
  }

  return (
    <ConfirmDialog
      opened={opened}
      title={title}
      confirmLabel={confirmLabel}
      danger={danger ?? false}
      onConfirm={confirm}
      onCancel={close}
    >
      {text}
    </ConfirmDialog>
  );
}
