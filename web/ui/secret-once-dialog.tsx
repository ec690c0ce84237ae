import { IconCheck, IconCopy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { AppDialog, DialogActions } from "./confirm-dialog.tsx";
import { copyText } from "./copy-button.tsx";
import classes from "./secret-once-dialog.module.css";

export interface SecretOnceDialogProps {
  opened: boolean;
  title: string;
  secret: string;
  /** Accessible name of the secret. */
  label: string;
  /** Notification after copying. */
  successMessage: string;
  onClose: () => void;
  /** Content above the secret. */
  before: ReactNode;
  /** Content below the secret. */
  after?: ReactNode;
}

/** Shows a secret that can't be shown again. Copy has the focus, and the dialog can't be closed by accident. */
export function SecretOnceDialog({ opened, ...props }: SecretOnceDialogProps) {
  return (
    // The key resets the state for the next secret.
    <OneSecret key={props.secret} opened={opened} {...props} />
  );
}

function OneSecret({ opened, title, secret, label, successMessage, onClose, before, after }: SecretOnceDialogProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  // Escape closes dialogs (docs/domain.md#dialogs), but this secret can't be shown again. Until it has been copied, with the
  // button or by hand, only the button that confirms it closes the dialog.
  const leave = () => (isCopied ? onClose() : setIsWarned(true));
  const Icon = isCopied ? IconCheck : IconCopy;

  return (
    <AppDialog opened={opened} title={title} size="lg" onClose={leave}>
      <div className={classes.words}>{before}</div>
      <code className={classes.secret} aria-label={label} onCopy={() => setIsCopied(true)}>
        {secret}
      </code>
      {after && <div className={classes.words}>{after}</div>}
      {/* Always rendered, so that screen readers announce changes. */}
      <p className={classes.warning} role="status">
        {isWarned && !isCopied && "Not copied yet. Copy it first, or press “I’ve saved it”."}
      </p>
      <DialogActions>
        <Button
          variant="default"
          data-autofocus
          leftSection={<Icon size={18} stroke={1.8} aria-hidden="true" />}
          onClick={() => void copyText(secret, successMessage).then((done) => done && setIsCopied(true))}
        >
          Copy
        </Button>
        <Button onClick={onClose}>I’ve saved it</Button>
      </DialogActions>
    </AppDialog>
  );
}
