import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { WEBHOOK_DOCS } from "./webhook-labels.ts";

interface SecretDialogProps extends DialogControl {
  secret: string;
  isNew: boolean;
  onDone: () => void;
}

/** Shows a new signing secret once and explains its use. */
export default function SecretDialog({ secret, isNew, onDone, ...dialog }: SecretDialogProps) {
  return (
    <SecretOnceDialog
      {...dialog}
      onClose={() => {
        dialog.onClose();
        onDone();
      }}
      title="Your signing secret"
      secret={secret}
      label="Signing secret"
      successMessage="The signing secret has been copied to clipboard."
      before={
        <p>
          {isNew ? "The endpoint has been added. " : "This is the new secret. "}
          Save it in your application's settings. <b>It is shown only once.</b>
        </p>
      }
      after={
        <p>
          To verify that a request comes from us, pass the secret, the unchanged body and the headers{" "}
          <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> to a library for{" "}
          <a href="https://www.standardwebhooks.com/" rel="noreferrer" target="_blank">
            Standard Webhooks
          </a>
          .{" "}
          <a href={WEBHOOK_DOCS} rel="noreferrer" target="_blank">
            The documentation
          </a>{" "}
          has an example. If you lose the secret, roll it to get a new one.
        </p>
      }
    />
  );
}
