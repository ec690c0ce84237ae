import { useEffect, useState } from "react";
import { object, string } from "yup";
import { signInRules, type SignInValues } from "#schema/rules/account.ts";
import { startSession, useSession } from "#web/platform/session.ts";
import type { SecondStepChallenge } from "#web/access/sessions/session-or-challenge.ts";
import { signIn } from "#web/access/sessions/sign-in.ts";
import SecondStep from "#web/access/two-step/second-step.tsx";
import { AppDialog } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField, TextField } from "#web/public-ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { pasteToken } from "./caller.ts";
import classes from "./sign-in-dialog.module.css";

const FALLBACK = "Sorry, your user name or password is incorrect or we were unable to connect to the server.";

const tokenRules = object({ secret: string().trim().required("Token is required.") });

/**
 * Dialog for signing in to the explorer: with email, password and two-step sign-in, which starts a session in the portal, or
 * with a personal access token, which is only kept in memory.
 */
export function SignInDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const session = useSession();
  const [isSecondStep, setIsSecondStep] = useState(false);
  // The session may also come from another tab.
  useEffect(() => {
    if (session && opened) onClose();
  }, [session, opened, onClose]);
  return (
    <AppDialog opened={opened} title="Sign in to the explorer" onClose={onClose}>
      <ByPassword onSecondStep={setIsSecondStep} />
      {!isSecondStep && (
        <>
          <div className={classes.or}>
            <span>or</span>
          </div>
          <ByToken onDone={onClose} />
        </>
      )}
    </AppDialog>
  );
}

/**
 * Form for email and password. Calls `onSecondStep` when the second step opens or closes, because the token form is
 * hidden while it is open.
 */
function ByPassword({ onSecondStep }: { onSecondStep: (isOpen: boolean) => void }) {
  const form = useAppForm(signInRules, { defaultValues: { email: "", password: "" } });
  const [question, setQuestion] = useState<SecondStepChallenge | null>(null);
  const isSecondStep = question !== null;
  useEffect(() => {
    onSecondStep(isSecondStep);
    return () => onSecondStep(false);
  }, [isSecondStep, onSecondStep]);

  async function send(values: SignInValues) {
    const outcome = await signIn(values);
    if (outcome.kind === "signed-in") return startSession(outcome.session);
    if (outcome.kind === "second-step") return setQuestion(outcome.question);
    notify.error(outcome.message ?? FALLBACK);
    form.setFocus("password", { shouldSelect: true });
  }

  if (question)
    return (
      <SecondStep
        question={question}
        onStartAgain={() => {
          form.resetField("password");
          setQuestion(null);
        }}
      />
    );
  return (
    <AppForm form={form} onSubmit={send} fallback={FALLBACK} label="Sign in">
      <TextField
        control={form.control}
        name="email"
        label="Username"
        inputMode="email"
        autoComplete="username"
        focusFirst
      />
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
      <FormActions>
        <SubmitButton>Sign in</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

function ByToken({ onDone }: { onDone: () => void }) {
  const form = useAppForm(tokenRules, { defaultValues: { secret: "" } });

  async function send({ secret }: { secret: string }) {
    const error = await pasteToken(secret);
    if (!error) return onDone();
    form.setError("secret", { type: "server", message: error });
    form.setFocus("secret", { shouldSelect: true });
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to use this token." label="Personal access token">
      <TextField
        control={form.control}
        name="secret"
        label="Personal access token"
        hint="Starts with xpat_. It is kept in this tab's memory until you leave the page."
        autoComplete="off"
        isCode
      />
      <FormActions>
        <SubmitButton variant="default">Use token</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
