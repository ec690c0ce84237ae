import { type ReactNode, Suspense, useRef, useState } from "react";
import classes from "./confirm-dialog.module.css";
import { Button } from "./button.tsx";
import { lazyPart } from "./lazy-part.tsx";

export interface ConfirmDialogProps {
  opened: boolean;
  /** The dialog's name. */
  title: string;
  /** What will happen, in words. */
  children: ReactNode;
  /** Default `Yes`. */
  confirmLabel?: string;
  /** Default `Cancel`. */
  cancelLabel?: string;
  /** For what cannot be undone: red button, and Cancel has the focus first. */
  danger?: boolean;
  /** Runs once however often the button is pressed; the dialog is busy until its promise settles. Closing is yours. */
  onConfirm: () => unknown;
  /** Cancel, Escape, the cross and a click beside the dialog; never called while busy. */
  onCancel: () => void;
}

/** Asks before something happens. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel = "Yes", cancelLabel = "Cancel", danger, onConfirm, onCancel } = props;
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

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
  /** The dialog's name. */
  title: string;
  onClose: () => void;
  /** Default `md` (about 28 rem). */
  size?: "sm" | "md" | "lg";
  children: ReactNode;
}

const DialogModal = lazyPart(() => import("./dialog-modal.tsx"), "notification");

/** The portal's dialog: named by its title, holds the focus, closes on Escape, gives the focus back. */
export function AppDialog(props: AppDialogProps) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  return (
    wanted && (
      <Suspense fallback={null}>
        <DialogModal {...props} />
      </Suspense>
    )
  );
}

/** The row of buttons at a dialog's foot. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
