import { brand } from "#schema/brand.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import classes from "./deactivate-dialog.module.css";
import { Button } from "#web/ui/button.tsx";

/** Explains that the deactivation limit is reached, and shows how to contact support. */
export function DeactivationLimitDialog(props: { opened: boolean; message: string; onClose: () => void }) {
  const { opened, message, onClose } = props;
  const { email } = brand.mailboxes.support;
  return (
    <AppDialog opened={opened} title="Deactivation limit reached" onClose={onClose}>
      <p className={classes.question}>{message}</p>
      <p className={classes.contact}>
        <a href={`mailto:${email}`}>{email}</a>
      </p>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
