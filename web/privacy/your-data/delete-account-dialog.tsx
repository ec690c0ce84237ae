import { Stack } from "@mantine/core";
import { useNavigate } from "react-router-dom";
import type { InferType } from "yup";
import { deleteAccountRules } from "#schema/account.ts";
import { paths } from "#web/platform/paths.ts";
import { useDeleteMyAccountMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

/** Asks the user for the password and deletes the account. */
export default function DeleteAccountDialog(dialog: DialogControl) {
  const navigate = useNavigate();
  const [deleteMyAccount] = useDeleteMyAccountMutation();
  const form = useAppForm(deleteAccountRules, { defaultValues: { password: "" } });

  async function send({ password }: InferType<typeof deleteAccountRules>) {
    await deleteMyAccount({ variables: { input: { password } } });
    // Signing out also clears the user's data in this browser.
    await navigate(paths.logout.href(), {
      state: { farewell: "Your account is closed. We'll email you when your data has been erased." },
    });
  }

  return (
    <FormDialog
      {...dialog}
      title="Delete account"
      form={form}
      onSubmit={send}
      fallback="Unable to delete your account."
      submit="Delete account"
      danger
    >
      <Stack gap="xs" c="dimmed">
        <p>
          Your account and licences end immediately, and your personal data is erased. We'll email you a certificate
          when the erasure is complete. This cannot be undone.
        </p>
        <p>Enter your password to continue.</p>
      </Stack>
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
    </FormDialog>
  );
}
