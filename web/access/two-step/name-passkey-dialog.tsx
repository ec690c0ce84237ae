import { Button } from "@mantine/core";
import { passkeyNameRules } from "#schema/account.ts";
import { useAddPasskeyMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLastValue } from "#web/platform/use-last-value.ts";

interface NamePasskeyDialogProps {
  /** The browser's response with the new passkey. Null while the dialog is closed. */
  passkey: string | null;
  /** Called once the passkey is added, with the recovery codes if this turned two-step sign-in on. */
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

/** Dialog that names a new passkey, so that the user can recognise it later. */
export function NamePasskeyDialog({ passkey, ...others }: NamePasskeyDialogProps) {
  const shown = useLastValue(passkey);
  return (
    <AppDialog opened={passkey !== null} title="Name your passkey" onClose={others.onClose}>
      {shown && <NamePasskey passkey={shown} {...others} />}
    </AppDialog>
  );
}

function NamePasskey({ passkey, onDone, onClose }: NamePasskeyDialogProps & { passkey: string }) {
  const [addPasskey] = useAddPasskeyMutation();
  const form = useAppForm(passkeyNameRules, { defaultValues: { name: "" } });

  async function send({ name }: { name: string }) {
    const { data } = await addPasskey({ variables: { input: { name, passkey } } });
    onDone(data?.addPasskey.codes ?? []);
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to add the passkey." label="Name your passkey">
      <TextField
        control={form.control}
        name="name"
        label="Name"
        hint="For example, 'Office laptop' or 'Blue key'."
        autoComplete="off"
        maxLength={60}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
