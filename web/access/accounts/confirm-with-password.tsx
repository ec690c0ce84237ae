import type { NewPasswordValues } from "#schema/account.ts";
import { getFieldErrors } from "#web/platform/server-error.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { PasswordField } from "#web/ui/form/native-fields.tsx";
import { type ConfirmationOutcome, postConfirmation } from "./email-confirmation.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";

const loadRules = () => import("#schema/account.ts").then((file) => file.newPasswordRules);

/** Form for an account that was registered in another browser: confirms the address and sets the password. */
export default function ConfirmWithPassword(props: {
  token: string;
  onConfirmed: (outcome: ConfirmationOutcome) => void;
  onInvalid: () => void;
}) {
  const { token, onConfirmed, onInvalid } = props;
  const form = useAppForm(loadRules, { defaultValues: { password: "", confirmPassword: "" } });

  async function send(values: NewPasswordValues) {
    try {
      onConfirmed(await postConfirmation({ confirmationToken: token, ...values }));
    } catch (error) {
      if (!("confirmationToken" in getFieldErrors(error))) throw error;
      onInvalid();
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to confirm your account." label="Confirm email">
      <p>
        This account was created in another browser. To make sure that only you can sign in, type your password again or
        choose a new one.
      </p>
      <NewPasswordFields control={form.control} PasswordField={PasswordField} />
      <FormActions>
        <SubmitButton>Confirm email</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
