import { useState } from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { DoneState } from "#web/ui/message-state.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField } from "#web/ui/form/native-fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { LinkButton, Button } from "#web/ui/button.tsx";
import { postGraphql } from "#web/platform/post-graphql.ts";
import operation from "operation:RequestPasswordReset";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Page for requesting a password reset. */
export default function ForgotPasswordPage() {
  return (
    <PageLayout
      title={paths.forgotPassword.title}
      lead="We'll email you a link to choose a new password."
      width="narrow"
      card
    >
      <ForgotPasswordForm />
    </PageLayout>
  );
}

const loadRules = () => import("#schema/account.ts").then((file) => file.forgotPasswordRules);

/** Form that requests a reset link. Shows the same message whether or not the address has an account. */
function ForgotPasswordForm() {
  const [isSent, setIsSent] = useState(false);
  const form = useAppForm(loadRules, { defaultValues: { email: "" } });

  async function send({ email }: { email: string }) {
    await postGraphql(operation, { input: { email } });
    notify.success("Change password has been initiated. Please check your email.");
    setIsSent(true);
  }

  function sendAgain() {
    // The pressed button disappears.
    flushSync(() => setIsSent(false));
    form.setFocus("email");
  }

  if (isSent)
    return (
      <DoneState message="A link to reset your password has been sent to your email address.">
        <p>
          The link is valid for 30 minutes and can be used once. No email? Check your spam folder, and check that{" "}
          <b>{form.getValues("email")}</b> is the address you registered with. Need help? Email{" "}
          <MailLink to="support" />.
        </p>
        <FormActions>
          <LinkButton to={paths.login.href()}>Back to login</LinkButton>
          <Button variant="default" onClick={sendAgain}>
            Send again
          </Button>
        </FormActions>
      </DoneState>
    );
  return (
    // Rarely shown, because the API never reveals whether an account exists.
    <AppForm form={form} onSubmit={send} fallback="Account does not exist." label="Forgot Password">
      <EmailField control={form.control} name="email" label="Email Address" autoComplete="username" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
      <p>
        Remembered your password? <Link to={paths.login.href()}>Back to login</Link>
      </p>
    </AppForm>
  );
}
