import { IconCheck, IconCopy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { AppDialog, DialogActions } from "./confirm-dialog.tsx";
import { copyText } from "./copy-button.tsx";
import classes from "./secret-once-dialog.module.css";

export interface SecretOnceDialogProps {
  opened: boolean;
  /** The dialog's name. */
  title: string;
  /** What is shown only now. */
  secret: string;
  /** The secret's name for assistive programs. */
  label: string;
  /** The sentence shown when it was copied. */
  said: string;
  onClose: () => void;
  /** Stands above the secret. */
  before: ReactNode;
  /** Stands below it. */
  after?: ReactNode;
}

/** Shows a secret that can't be shown again: Copy has the focus, and nothing closes it by mistake. */
export function SecretOnceDialog({ opened, ...props }: SecretOnceDialogProps) {
  return (
    // That one was copied must not count for the next.
    <OneSecret key={props.secret} opened={opened} {...props} />
  );
}

function OneSecret({ opened, title, secret, label, said, onClose, before, after }: SecretOnceDialogProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  // Escape closes dialogs (docs/domain.md#dialogs), but here it would throw away what nobody can show again.
  // So until the secret was copied, by the button or by hand, only the button that says it is kept closes.
  const leave = () => (isCopied ? onClose() : setIsWarned(true));
  const Icon = isCopied ? IconCheck : IconCopy;

  return (
    <AppDialog opened={opened} title={title} size="lg" onClose={leave}>
      <div className={classes.words}>{before}</div>
      <code className={classes.secret} aria-label={label} onCopy={() => setIsCopied(true)}>
        {secret}
      </code>
      {after && <div className={classes.words}>{after}</div>}
      {/* Always there, so that a screen reader hears what is put into it. */}
      <p className={classes.warning} role="status">
        {isWarned && !isCopied && "Not copied yet. Copy it first, or press “I Have Kept It”."}
      </p>
      <DialogActions>
        <Button
          variant="default"
          data-autofocus
          leftSection={<Icon size={18} stroke={1.8} aria-hidden="true" />}
          onClick={() => void copyText(secret, said).then((done) => done && setIsCopied(true))}
        >
          Copy
        </Button>
        <Button onClick={onClose}>I Have Kept It</Button>
      </DialogActions>
    </AppDialog>
  );
}
