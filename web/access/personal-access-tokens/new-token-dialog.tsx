import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";
import { useLast } from "#web/ui/use-last.ts";

/** Shows the text of a new token, once; `made` is null while the dialog is closed. */
export function NewTokenDialog(props: { made: { name: string; secret: string } | null; onClose: () => void }) {
  const { name, secret } = useLast(props.made) ?? { name: "", secret: "" };
  return (
    <SecretOnceDialog
      opened={props.made !== null}
      title="Your New Token"
      secret={secret}
      label="Token"
      said="The token has been copied to clipboard."
      onClose={props.onClose}
      before={
        <>
          <p>Give this to “{name}” and to nobody else: whoever has it can use your account as far as its scopes go.</p>
          <p>
            <b>It is shown only now.</b> We keep no copy of it. We have mailed you that it was made.
          </p>
        </>
      }
    />
  );
}
