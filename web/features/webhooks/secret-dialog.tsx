import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { useLast } from "#web/ui/use-last.ts";
import { WEBHOOK_DOCS } from "./webhook-words.ts";
import classes from "./webhooks.module.css";

/** Shows a new signing secret, once, and says what it is for; `made` is null while the dialog is closed. */
export function SecretDialog(props: {
  made: { endpoint: { url: string }; secret: string; isNew: boolean } | null;
  onClose: () => void;
}) {
  const { onClose } = props;
  const made = useLast(props.made);
  return (
    <AppDialog opened={props.made !== null} title="Your Signing Secret" size="lg" onClose={onClose}>
      <div className={classes.secretWords}>
        <p>
          {made?.isNew ? "The endpoint is added. " : "This is the new secret. "}
          Keep it where your software reads its settings. <b>It is shown only now.</b>
        </p>
        <code className={classes.secret} aria-label="Signing secret">
          {made?.secret}
        </code>
        <p>
          To verify that a request comes from us, give the secret, the body as it arrived and the headers{" "}
          <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> to a library of{" "}
          <a href="https://www.standardwebhooks.com/" rel="noreferrer" target="_blank">
            Standard Webhooks
          </a>
          .{" "}
          <a href={WEBHOOK_DOCS} rel="noreferrer" target="_blank">
            The documentation
          </a>{" "}
          has an example. Should you lose the secret, roll it for a new one.
        </p>
      </div>
      <DialogActions>
        <CopyButton text={made?.secret ?? ""} label="Copy" said="The signing secret has been copied to clipboard." />
        <Button onClick={onClose}>I Have Kept It</Button>
      </DialogActions>
    </AppDialog>
  );
}
