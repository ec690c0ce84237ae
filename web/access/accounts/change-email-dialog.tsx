import { changeEmailRules } from "#schema/account.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { changeUnconfirmedEmail } from "./email-confirmation.ts";
import { Button } from "#web/ui/button.tsx";

interface ChangeEmailDialogProps {
  opened: boolean;
  handle: string;
  onClose: () => void;
  /** Called with the new address once the link was sent to it. */
  onChanged: (email: string) => void;
}

/** Dialog that changes the address of an unconfirmed registration. */
export function ChangeEmailDialog({ opened, onClose, ...form }: ChangeEmailDialogProps) {
  return (
    <AppDialog opened={opened} title="Change Email Address" onClose={onClose}>
      <ChangeEmailForm {...form} onClose={onClose} />
    </AppDialog>
  );
}

function ChangeEmailForm({ handle, onClose, onChanged }: Omit<ChangeEmailDialogProps, "opened">) {
  const form = useAppForm(changeEmailRules, { defaultValues: { email: "" } });

  async function send({ email }: { email: string }) {
    await changeUnconfirmedEmail(handle, email);
    notify.success("We have sent the email confirmation link to your new email address.");
    onChanged(email);
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to change the email address." label="Change Email Address">
      <EmailField
        control={form.control}
        name="email"
        label="Email"
        hint="The link we sent earlier will stop working."
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
