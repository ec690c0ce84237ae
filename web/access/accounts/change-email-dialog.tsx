import { changeEmailRules } from "#schema/account.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import operation from "operation:ChangeUnconfirmedEmail";

interface ChangeEmailDialogProps extends DialogControl {
  handle: string;
  /** Called with the new address once the link was sent to it. */
  onChanged: (email: string) => void;
}

/** Dialog that changes the address of an unconfirmed registration. */
export default function ChangeEmailDialog({ handle, onChanged, ...dialog }: ChangeEmailDialogProps) {
  const form = useAppForm(changeEmailRules, { defaultValues: { email: "" } });

  async function send({ email }: { email: string }) {
    await postGraphql(operation, { handle, input: { email } });
    notify.success("We have sent the email confirmation link to your new email address.");
    onChanged(email);
  }

  return (
    <FormDialog
      {...dialog}
      title="Change Email Address"
      form={form}
      onSubmit={send}
      fallback="Unable to change the email address."
    >
      <EmailField
        control={form.control}
        name="email"
        label="Email"
        hint="The link we sent earlier will stop working."
      />
    </FormDialog>
  );
}
