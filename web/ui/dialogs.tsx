import { ApolloProvider, getApolloContext } from "@apollo/client/react";
import { type ComponentType, Fragment, type ReactNode, use, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { loadPart, PartLoadError } from "#web/platform/load-part.ts";
import { notify } from "#web/platform/notifications.ts";
import { createStore } from "#web/platform/store.ts";
import { ConfirmDialog, type DialogControl, loadDialogModal } from "./confirm-dialog.tsx";
import { messageFor } from "./lazy-part.tsx";
import { SLOW_MS, STILL_LOADING } from "./loading-block.tsx";

type DialogContent = (control: DialogControl) => ReactNode;

interface ShownDialog {
  readonly id: number;
  readonly opened: boolean;
  readonly content: DialogContent;
}

const dialogs = createStore<readonly ShownDialog[]>([]);
let lastId = 0;

function close(id: number): void {
  dialogs.set(dialogs.get().map((dialog) => (dialog.id === id ? { ...dialog, opened: false } : dialog)));
}

/** Shows the dialogs that were opened by function. Leaving the page closes them. */
export function DialogHost() {
  const shown = dialogs.use();
  const { pathname } = useLocation();
  useEffect(
    () => () => {
      lastId += 1;
      dialogs.set([]);
    },
    [pathname],
  );
  return shown.map(({ id, opened, content }) => (
    <Fragment key={id}>{content({ opened, onClose: () => close(id) })}</Fragment>
  ));
}

/** Shows a dialog on top of the page once its code is there: forms are large. The last one that was asked for is shown. */
async function openDialog(load: () => Promise<DialogContent>): Promise<void> {
  lastId += 1;
  const id = lastId;
  const slow = setTimeout(() => notify.error(STILL_LOADING), SLOW_MS);
  try {
    const [content] = await loadPart(() => Promise.all([load(), loadDialogModal()]));
    if (id !== lastId) return;
    // A dialog that has just closed is still visible.
    const visible = dialogs.get().filter(({ opened }, index, all) => opened || index === all.length - 1);
    dialogs.set([...visible, { id, opened: true, content }]);
  } catch (error) {
    if (!(error instanceof PartLoadError)) throw error;
    notify.error(messageFor(error));
    const retry = () => id === lastId && void openDialog(load);
    if (error.canRetry) window.addEventListener("online", retry, { once: true });
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Returns a function that loads a dialog, the default export of a file, and opens it with its properties. The dialog uses the
 * caller's Apollo client.
 */
export function useOpenDialog() {
  const { client } = use(getApolloContext());
  return <TProps extends DialogControl>(
    load: () => Promise<{ default: ComponentType<TProps> }>,
    props: Omit<TProps, keyof DialogControl>,
  ): void =>
    void openDialog(async () => {
      const { default: Dialog } = await load();
      return (control) => {
        const dialog = <Dialog {...({ ...props, ...control } as unknown as TProps)} />;
        return client ? <ApolloProvider client={client}>{dialog}</ApolloProvider> : dialog;
      };
    });
}

/** A change that reports its result as a notification. */
interface ReportedChange<TResult> {
  run: () => Promise<TResult>;
  success?: string | ((result: TResult) => string);
  /** Notification for a failure that has no message of its own, such as "Unable to revoke the token." */
  failure: string;
}

export interface Confirmation<TResult> extends ReportedChange<TResult> {
  title: string;
  text: ReactNode;
  /** The verb of the action. */
  confirmLabel: string;
  cancelLabel?: string;
  /** For actions that can't be undone. */
  danger?: boolean;
  /** Offers to undo the action. */
  undo?: ReportedChange<unknown> | undefined;
  /**
   * Called when the dialog has closed, after the action or its failure. Without it, the dialog stays open after a failure,
   * so that the user can retry.
   */
  onSettled?: (isDone: boolean) => unknown;
}

/** Asks the user to confirm an action, then runs it. */
export function confirmAction<TResult>(confirmation: Confirmation<TResult>): void {
  const { title, text, confirmLabel, cancelLabel, danger, onSettled } = confirmation;
  void openDialog(async () => ({ opened, onClose }) => {
    async function confirm() {
      const isDone = await reportChange(confirmation);
      if (!isDone && !onSettled) return;
      onClose();
      await onSettled?.(isDone);
    }
    return (
      <ConfirmDialog {...{ opened, title, confirmLabel, cancelLabel, danger }} onConfirm={confirm} onCancel={onClose}>
        {text}
      </ConfirmDialog>
    );
  });
}

/** Runs a change and reports its result as a notification. Returns whether it succeeded. */
export async function reportChange<TResult>(
  change: ReportedChange<TResult> & Pick<Confirmation<TResult>, "undo" | "onSettled">,
): Promise<boolean> {
  const { run, success, failure, undo, onSettled } = change;
  notify.clearErrors();
  try {
    const result = await run();
    const message = typeof success === "function" ? success(result) : success;
    if (message && undo) notify.undoable(message, () => void reportChange(undo).then(onSettled));
    else if (message) notify.success(message);
    return true;
  } catch (error) {
    notify.failure(error, failure);
    return false;
  }
}
