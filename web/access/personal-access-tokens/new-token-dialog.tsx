import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Shows a new token once. `created` is null while the dialog is closed. */
export function NewTokenDialog(props: { created: { name: string; secret: string } | null; onClose: () => void }) {
  const { name, secret } = useLastValue(props.created) ?? { name: "", secret: "" };
  return (
    <SecretOnceDialog
      opened={props.created !== null}
      title="Your new token"
      secret={secret}
      label="Token"
      successMessage="The token has been copied to clipboard."
      onClose={props.onClose}
      before={
        <>
          <p>Use this token only in “{name}”. Anyone who has it can use your account within the token's scopes.</p>
          <p>
            <b>Copy the token now. You won't see it again.</b> We don't store it. We have emailed you to confirm that it
            was created.
          </p>
        </>
      }
    />
  );
}
