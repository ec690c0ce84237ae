import { brand } from "#schema/brand.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { SecretOnceDialog } from "#web/ui/secret-once-dialog.tsx";

/** Shows new recovery codes once. */
export default function RecoveryCodesDialog({ codes, ...dialog }: DialogControl & { codes: readonly string[] }) {
  return (
    <SecretOnceDialog
      {...dialog}
      title="Your recovery codes"
      secret={codes}
      label="Recovery codes"
      successMessage="Your recovery codes have been copied to clipboard."
      doneLabel="I have saved my codes"
      file={{
        name: "recovery-codes.txt",
        content: `Recovery codes for ${brand.name}\nEach code works once, in place of your app or passkey.\n\n${codes.join("\n")}\n`,
      }}
      before={
        <>
          <p>
            Save these ten codes somewhere you can reach without your phone. Each works once, in place of your app or
            passkey.
          </p>
          <p>
            <b>Save the codes now. You won't see them again.</b>
          </p>
        </>
      }
    />
  );
}
