import { type KeyboardEvent, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from "react";
import classes from "./form/form.module.css";
import layout from "./layout.module.css";
import { Button } from "./button.tsx";
import { KeepOpen, useDialogBusy } from "./dialog-busy.ts";
import { lazyPart } from "./lazy-part.tsx";
import { STILL_LOADING, useIsSlow } from "./loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";

export interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** The verb of the action. `Yes` only where the specification says so. */
  confirmLabel: string;
  /** Default `Cancel`. */
  cancelLabel?: string;
  /** For actions that can't be undone: a red button, and the initial focus on Cancel. */
  danger?: boolean;
  /** Called once, also for Enter in a field. The dialog is busy until its promise settles or the caller closes it. */
  onConfirm: () => unknown;
  /** Called for Cancel, Escape, the close button and a click outside the dialog, but never while busy. */
  onCancel: () => void;
}

export function ConfirmDialog({ opened, title, ...question }: ConfirmDialogProps) {
  return (
    <AppDialog opened={opened} title={title} onClose={question.onCancel}>
      <Question {...question} />
    </AppDialog>
  );
}

/** Its state ends when the dialog closes. A caller may still be reading a list then. */
function Question(props: Omit<ConfirmDialogProps, "opened" | "title">) {
  const { children, confirmLabel, cancelLabel = "Cancel", danger, onConfirm, onCancel } = props;
  const running = useRef(false);
  const [isBusy, setBusy] = useState(false);
  useDialogBusy(isBusy);

  async function confirm() {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return (
    <ConfirmOnEnter onEnter={() => void confirm()}>
      <div className={layout.muted}>{children}</div>
      <DialogActions>
        <Button variant="default" onClick={onCancel} disabled={isBusy} data-autofocus={danger || undefined}>
          {cancelLabel}
        </Button>
        <Button
          color={danger ? "red" : undefined}
          loading={isBusy}
          data-autofocus={!danger || undefined}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </ConfirmOnEnter>
  );
}

/**
 * Calls `onEnter` for Enter in a field of one line. Not a form, because React passes its events on to the form of the page that
 * shows the dialog.
 */
export function ConfirmOnEnter({ onEnter, children }: { onEnter: () => void; children: ReactNode }) {
  function confirmOnEnter(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (!(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    onEnter();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only passes on the key of the field in it
    <div onKeyDown={confirmOnEnter}>{children}</div>
  );
}

/** What opens and closes a dialog. */
export interface DialogControl {
  /** False during the closing transition. */
  readonly opened: boolean;
  readonly onClose: () => void;
}

export interface AppDialogProps extends DialogControl {
  title: string;
  /** Default `md` (about 28 rem). */
  size?: "sm" | "md" | "lg" | undefined;
  /** Closes only with the dialog's own buttons, because closing would lose what the user typed on the page. */
  isPersistent?: boolean;
  children: ReactNode;
}

/** Loads the code that all dialogs share, so that the first one opens at once. */
export const loadDialogModal = () => import("./dialog-modal.tsx");

const DialogModal = lazyPart<AppDialogProps>(loadDialogModal, "notification");

/**
 * The portal's dialog. Traps the focus, closes on Escape unless a change runs in it, and restores the focus. Its code loads
 * when it first opens. If it can't be loaded, the dialog closes, and opening it again tries again.
 */
export function AppDialog(props: AppDialogProps) {
  const { opened, onClose } = props;
  const [code, setCode] = useState<"unneeded" | "needed" | "missing">("unneeded");
  if (opened && code === "unneeded") setCode("needed");
  if (!opened && code === "missing") setCode("unneeded");
  const running = useRef(0);
  const keepOpen = useCallback(() => {
    running.current += 1;
    return () => {
      running.current -= 1;
    };
  }, []);
  const close = () => {
    if (running.current === 0) onClose();
  };
  const giveUp = () => {
    setCode("missing");
    onClose();
  };
  return (
    code === "needed" && (
      <KeepOpen value={keepOpen}>
        <Suspense fallback={<SlowDialog />}>
          <DialogModal {...props} onClose={close} onMissing={giveUp} />
        </Suspense>
      </KeepOpen>
    )
  );
}

/** Shows a notification if the code of a dialog doesn't come. */
function SlowDialog() {
  const isSlow = useIsSlow();
  useEffect(() => {
    if (isSlow) notify.error(STILL_LOADING);
  }, [isSlow]);
  return null;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.dialogActions}>{children}</div>;
}
