import { passkeyNameRules } from "#schema/account.ts";
import { useAddPasskeyMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface NamePasskeyDialogProps extends DialogControl {
  passkey: string;
  /** Called once the passkey is added, with the recovery codes if this turned two-step sign-in on. */
  onDone: (recoveryCodes: readonly string[]) => void;
}

/** Dialog that names a new passkey, so that the user can recognise it later. */
export default function NamePasskeyDialog({ passkey, onDone, ...dialog }: NamePasskeyDialogProps) {
  const [addPasskey] = useAddPasskeyMutation();
  const form = useAppForm(passkeyNameRules, { defaultValues: { name: "" } });

  async function send({ name }: { name: string }) {
    const { data } = await addPasskey({ variables: { input: { name, passkey } } });
    dialog.onClose();
    onDone(data?.addPasskey.codes ?? []);
  }

  return (
    <FormDialog {...dialog} title="Name your passkey" form={form} onSubmit={send} fallback="Unable to add the passkey.">
      <TextField
        control={form.control}
        name="name"
        label="Name"
        hint="For example, 'Office laptop' or 'Blue key'."
        autoComplete="off"
        maxLength={60}
      />
    </FormDialog>
  );
}
