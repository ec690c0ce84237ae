import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";

/** Shows a new token once. */
export default function NewTokenDialog({ name, secret, ...control }: DialogControl & { name: string; secret: string }) {
  return (
    <SecretOnceDialog
      {...control}
      title="Your new token"
      secret={secret}
      label="Token"
      successMessage="The token has been copied to clipboard."
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
