import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { useLast } from "#web/ui/use-last.ts";
import classes from "./personal-access-tokens.module.css";

/** Shows the text of a new token, once; `made` is null while the dialog is closed. */
export function NewTokenDialog(props: { made: { name: string; secret: string } | null; onClose: () => void }) {
  const { onClose } = props;
  const { name, secret } = useLast(props.made) ?? { name: "", secret: "" };
  return (
    <AppDialog opened={props.made !== null} title="Your New Token" size="lg" onClose={onClose}>
      <div className={classes.text}>
        <p>Give this to “{name}” and to nobody else: whoever has it can use your account as far as its scopes go.</p>
        <p>
          <b>It is shown only now.</b> We keep no copy of it. We have mailed you that it was made.
        </p>
      </div>
      <code className={classes.secret} aria-label="Token">
        {secret}
      </code>
      <DialogActions>
        <CopyButton text={secret} said="The token has been copied to clipboard." />
        <Button onClick={onClose}>I Have Kept It</Button>
      </DialogActions>
    </AppDialog>
  );
}
