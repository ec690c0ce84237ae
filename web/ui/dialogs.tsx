import { ApolloProvider, getApolloContext } from "@apollo/client/react";
import { Fragment, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router-dom";
import { notify } from "#web/platform/notifications.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** What the host gives a dialog. */
export interface DialogControl {
  /** False during the closing transition. */
  readonly opened: boolean;
  readonly onClose: () => void;
}

type DialogContent = (control: DialogControl) => ReactNode;

interface ShownDialog {
  readonly id: number;
  readonly opened: boolean;
  readonly content: DialogContent;
}

let dialogs: readonly ShownDialog[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly ShownDialog[]): void {
  dialogs = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens a dialog on top of the page. It has no Apollo client; {@link useOpenDialog} is for dialogs that need one. */
function openDialog(content: DialogContent): void {
  lastId += 1;
  // A dialog that has just closed is still visible.
  const visible = dialogs.filter(({ opened }, index) => opened || index === dialogs.length - 1);
  show([...visible, { id: lastId, opened: true, content }]);
}

function close(id: number): void {
  show(dialogs.map((dialog) => (dialog.id === id ? { ...dialog, opened: false } : dialog)));
}

/** Shows the dialogs that were opened by function. Leaving the page closes them. */
export function DialogHost() {
  const shown = useSyncExternalStore(subscribe, () => dialogs);
  const { pathname } = useLocation();
  useEffect(() => () => show([]), [pathname]);
  return shown.map(({ id, opened, content }) => (
    <Fragment key={id}>{content({ opened, onClose: () => close(id) })}</Fragment>
  ));
}

/** Returns a function that opens a dialog. The dialog uses the caller's Apollo client. */
export function useOpenDialog(): (content: DialogContent) => void {
  const { client } = use(getApolloContext());
  return (content) =>
    openDialog((control) =>
      client ? <ApolloProvider client={client}>{content(control)}</ApolloProvider> : content(control),
    );
}

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

/** Asks the user to confirm an action, then runs it. */
export function confirmAction({ title, text, confirmLabel, danger, run, failure, onFailure }: Confirmation): void {
  openDialog(({ opened, onClose }) => {
    async function confirm() {
      notify.clearErrors();
      try {
        await run();
        onClose();
      } catch (error) {
        notify.failure(error, failure);
        if (!onFailure) return;
        onClose();
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
        onCancel={onClose}
      >
        {text}
      </ConfirmDialog>
    );
  });
}
