import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { NewPasswordValues } from "#schema/account.ts";
import { paths } from "#web/platform/paths.ts";
import { startSession } from "#web/platform/session.ts";
import { useAnswer } from "#web/platform/use-answer.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField } from "#web/ui/form/native-fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { getErrorCode, getFieldErrors } from "#web/platform/server-error.ts";
import { parseSessionOrChallenge, type SecondStepChallenge } from "#web/access/sessions/sign-in.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { getLinkToken } from "./link-token.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SecondStep } from "#web/access/two-step/second-step-part.tsx";
import validOperation from "operation:IsResetTokenValid";
import operation from "operation:ResetPassword";

/** Page opened by the link in a reset email. */
export default function ResetPasswordPage() {
  const token = getLinkToken(useLocation().search);
  return (
    <PageLayout title={paths.resetPassword.title} width="narrow" card>
      {token ? <ResetByLink key={token} token={token} /> : <InvalidLink />}
    </PageLayout>
  );
}

const FALLBACK = "Account does not exist.";

const loadRules = () => import("#schema/account.ts").then((file) => file.newPasswordRules);

/** Returns whether the token of a reset link is valid. @throws ServerError, NetworkFailure */
export const isResetTokenValid = async (resetToken: string) =>
  (await postGraphql(validOperation, { input: { resetToken } })).isResetTokenValid;

function ResetByLink({ token }: { token: string }) {
  const navigate = useNavigate();
  const query = useAnswer(() => isResetTokenValid(token));
  const { data: isValid, error } = query;
  const [isUsed, setIsUsed] = useState(false);
  const [question, setQuestion] = useState<SecondStepChallenge | null>(null);
  if (question) return <SecondStep question={question} onStartAgain={() => void navigate(paths.login.href())} />;
  if (isUsed || isValid === false || getErrorCode(error) === "BAD_USER_INPUT") return <InvalidLink />;
  if (error || !isValid)
    return <Loaded query={query} failure="Unable to load the data." loading="Checking your link" />;
  return <ResetPasswordForm token={token} onInvalid={() => setIsUsed(true)} onSecondStep={setQuestion} />;
}

function InvalidLink() {
  return (
    <ErrorState message="Your password reset request is invalid, please reset your password again.">
      <p>
        A reset link works once, within 30 minutes, and only until you request a newer one. An invitation works once,
        within 7 days.
      </p>
      <LinkButton to={paths.forgotPassword.href()}>Forgot Password</LinkButton>
    </ErrorState>
  );
}

function ResetPasswordForm(props: {
  token: string;
  onInvalid: () => void;
  onSecondStep: (question: SecondStepChallenge) => void;
}) {
  const { token, onInvalid, onSecondStep } = props;
  const form = useAppForm(loadRules, { defaultValues: { password: "", confirmPassword: "" } });

  async function send(values: NewPasswordValues) {
    try {
      const { resetPassword } = await postGraphql(operation, { input: { ...values, resetToken: token } });
      const outcome = parseSessionOrChallenge(resetPassword);
      notify.success("You have successfully changed your password.");
      // This only stores the session; the page's guard then redirects.
      if (outcome.kind === "signed-in") startSession(outcome.session);
      else onSecondStep(outcome.question);
    } catch (error) {
      if (!("resetToken" in getFieldErrors(error))) throw error;
      onInvalid();
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback={FALLBACK} label="Reset password">
      <NewPasswordFields control={form.control} PasswordField={PasswordField} />
      <p>You will be signed in here and signed out everywhere else.</p>
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
