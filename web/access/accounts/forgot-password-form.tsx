import { useState } from "react";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { DoneState } from "#web/ui/done-state.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { LinkButton, Button } from "#web/ui/button.tsx";
import { requestPasswordReset } from "./password-reset.ts";

const loadRules = () => import("#schema/rules/account.ts").then((file) => file.forgotPasswordRules);

/** Asks for a reset link. What it says does not depend on whether the address has an account. */
export function ForgotPasswordForm() {
  const [sent, setSent] = useState(false);
  const form = useAppForm(loadRules, { defaultValues: { email: "" } });

  async function send({ email }: { email: string }) {
    await requestPasswordReset(email);
    notify.success("Change password has been initiated. Please check your email.");
    setSent(true);
  }

  if (sent)
    return (
      <DoneState message="A link to reset your password has been sent to your email address.">
        <p>
          It works once, for 30 minutes. Nothing there? Look into your spam folder, or check that{" "}
          <b>{form.getValues("email")}</b> is the address you registered with. Still stuck? Write to{" "}
          <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
        </p>
        <FormActions>
          <LinkButton to={paths.login.href()}>Back to Login</LinkButton>
          <Button variant="default" onClick={() => setSent(false)}>
            Send Again
          </Button>
        </FormActions>
      </DoneState>
    );
  return (
    // The api never says whether an account exists, so this fallback is rarely shown.
    <AppForm form={form} onSubmit={send} fallback="Account does not exist." label="Forgot Password">
      <EmailField control={form.control} name="email" label="Email Address" autoComplete="username" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
      <p>
        Remembered it? <Link to={paths.login.href()}>Back to Login</Link>
      </p>
    </AppForm>
  );
}
