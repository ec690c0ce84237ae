import { useEffect, useRef, useState } from "react";
import type { CodeValues } from "#schema/account.ts";
import { type SessionTokens, startSession } from "#web/platform/session.ts";
import type { SecondStepChallenge } from "#web/access/sessions/sign-in.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/native-fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { requestPasskey } from "./passkey-prompt.ts";
import forms from "#web/ui/form/form.module.css";
import { postGraphql } from "#web/platform/post-graphql.ts";
import type { CompleteSignInMutationVariables } from "#web/generated/graphql.ts";
import beginOperation from "operation:BeginPasskeySignIn";
import completeOperation from "operation:CompleteSignIn";

const FALLBACK = "Unable to sign you in. Please try again.";
const loadRules = () => import("#schema/account.ts").then((file) => file.codeRules);

type Method = "app" | "passkey" | "recovery";

interface SecondStepProps {
  question: SecondStepChallenge;
  /** Called when the challenge has ended or the user wants to sign in with another account. */
  onStartAgain: () => void;
  /** Receives the new session. Default: stores it, and the page's guard then redirects. */
  onSignedIn?: (session: SessionTokens) => void;
}

/** Second step of a sign-in with a code from the app, a passkey or a recovery code. */
export default function SecondStep({ question, onStartAgain, onSignedIn = startSession }: SecondStepProps) {
  const { methods, challenge } = question;
  const [method, setMethod] = useState<Method>(methods.app ? "app" : "passkey");
  const [isBusy, setIsBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useAppForm(loadRules, { defaultValues: { code: "" } });
  // Focus the input, or the heading if there is none.
  useEffect(() => {
    if (method === "passkey") heading.current?.focus();
    else form.setFocus("code");
  }, [form, method]);

  function show(outcome: SecondStepOutcome) {
    if (outcome.kind === "signed-in") return onSignedIn(outcome.session);
    notify.error(outcome.message || FALLBACK);
    if (outcome.kind === "ended") return onStartAgain();
  }

  async function sendCode({ code }: CodeValues) {
    const outcome = await completeSignIn({ challenge, code });
    show(outcome);
    if (outcome.kind !== "wrong") return;
    form.setError("code", { type: "server", message: outcome.message });
    form.setFocus("code", { shouldSelect: true });
  }

  async function sendPasskey() {
    if (isBusy) return;
    setIsBusy(true);
    notify.clearErrors();
    try {
      const { beginPasskeySignIn } = await postGraphql(beginOperation, { challenge });
      show(await completeSignIn({ challenge, passkey: await requestPasskey(beginPasskeySignIn.options) }));
    } catch (error) {
      notify.failure(error, FALLBACK);
    } finally {
      setIsBusy(false);
    }
  }

  function choose(next: Method) {
    form.reset();
    notify.clearErrors();
    setMethod(next);
    if (next === "passkey") void sendPasskey();
  }

  const otherMethods = (["app", "passkey", "recovery"] as const).filter(
    (item) => item !== method && (item === "recovery" || methods[item]),
  );
  return (
    <section className={forms.form} aria-labelledby="second-step">
      <h2 id="second-step" ref={heading} tabIndex={-1} style={{ fontSize: "1.25rem" }}>
        Second step
      </h2>
      {method === "passkey" ? (
        <>
          <p>Your browser will prompt you for your passkey, security key or screen lock.</p>
          <FormActions>
            <Button loading={isBusy} onClick={() => void sendPasskey()}>
              Use a passkey
            </Button>
          </FormActions>
        </>
      ) : (
        <AppForm form={form} onSubmit={sendCode} fallback={FALLBACK} label="Second step">
          {method === "app" ? (
            <TextField
              control={form.control}
              name="code"
              label="Code"
              hint="The 6-digit code from your authenticator app."
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              isCode
            />
          ) : (
            <TextField
              control={form.control}
              name="code"
              label="Recovery code"
              hint="One of the ten codes you saved when you set up two-step sign-in. Each works once."
              autoComplete="off"
              maxLength={40}
              isCode
            />
          )}
          <FormActions>
            <SubmitButton>Continue</SubmitButton>
          </FormActions>
        </AppForm>
      )}
      <FormActions>
        {otherMethods.map((item) => (
          <Button key={item} variant="default" size="sm" disabled={isBusy} onClick={() => choose(item)}>
            {methodLabels[item]}
          </Button>
        ))}
        <Button variant="default" size="sm" disabled={isBusy} onClick={onStartAgain}>
          Sign in again
        </Button>
      </FormActions>
    </section>
  );
}

const methodLabels: Record<Method, string> = {
  app: "Use the authenticator app",
  passkey: "Use a passkey",
  recovery: "Use a recovery code",
};

/** Outcome of the second step. After `wrong` the user can try again, after `ended` the sign-in starts over. */
type SecondStepOutcome = { kind: "signed-in"; session: SessionTokens } | { kind: "wrong" | "ended"; message: string };

/**
 * Completes the sign-in with a code or a passkey.
 * @throws ServerError, NetworkFailure
 */
async function completeSignIn(input: CompleteSignInMutationVariables["input"]): Promise<SecondStepOutcome> {
  const data = await postGraphql(completeOperation, { input });
  const { session, problem, message } = data.completeSignIn;
  if (session) return { kind: "signed-in", session };
  return { kind: problem === "TWO_STEP_ENDED" ? "ended" : "wrong", message: message ?? "" };
}
