import { type ReactNode, useEffect, useRef, useState } from "react";
import classes from "./confirm-dialog.module.css";
import { Button } from "./button.tsx";
import { lazyDialog } from "./lazy-part.tsx";

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
  /** Called once. The dialog is busy until its promise settles or the caller closes it. */
  onConfirm: () => unknown;
  /** Called for Cancel, Escape, the close button and a click outside the dialog, but never while busy. */
  onCancel: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel, cancelLabel = "Cancel", danger, onConfirm, onCancel } = props;
  const running = useRef<symbol | null>(null);
  const [busy, setBusy] = useState(false);

  // A caller that reads a list again after closing the dialog is still busy then. The dialog can be opened again meanwhile.
  useEffect(() => {
    if (opened) return;
    running.current = null;
    setBusy(false);
  }, [opened]);

  async function confirm() {
    if (running.current) return;
    const run = Symbol("run");
    running.current = run;
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      if (running.current === run) {
        running.current = null;
        setBusy(false);
      }
    }
  }

  const cancel = () => {
    if (!running.current) onCancel();
  };

  return (
    <AppDialog opened={opened} title={title} onClose={cancel}>
      <div className={classes.message}>{children}</div>
      <div className={classes.actions}>
        <Button variant="default" onClick={cancel} disabled={busy} data-autofocus={danger || undefined}>
          {cancelLabel}
        </Button>
        <Button
          color={danger ? "red" : undefined}
          loading={busy}
          onClick={() => void confirm()}
          data-autofocus={!danger || undefined}
        >
          {confirmLabel}
        </Button>
      </div>
    </AppDialog>
  );
}

export interface AppDialogProps {
  opened: boolean;
  title: string;
  onClose: () => void;
  /** Default `md` (about 28 rem). */
  size?: "sm" | "md" | "lg";
  /** Closes only with the dialog's own buttons, because closing would lose what the user typed on the page. */
  isPersistent?: boolean;
  children: ReactNode;
}

/** The portal's dialog. Traps the focus, closes on Escape and restores the focus. */
export const AppDialog = lazyDialog<AppDialogProps>(
  async () => (await import("./dialog-modal.tsx")).default,
  ({ opened }) => opened,
);

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
