import { useEffect, useRef, useState } from "react";
import type { CodeValues } from "#schema/rules/two-step.ts";
import { type SessionTokens, startSession } from "#web/platform/session.ts";
import type { SecondStepQuestion } from "#web/access/sessions/session-or-question.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { askForPasskey, PasskeyFailure } from "./ask-passkey.ts";
import classes from "./second-step.module.css";
import { postGraphql } from "#web/platform/post-graphql.ts";
import type {
  BeginPasskeySignInMutation,
  BeginPasskeySignInMutationVariables,
  CompleteSignInMutation,
  CompleteSignInMutationVariables,
} from "#web/generated/graphql.ts";
import beginOperation from "./begin-passkey-sign-in.graphql?operation";
import completeOperation from "./complete-sign-in.graphql?operation";

const FALLBACK = "Unable to sign you in. Please try again.";
const loadRules = () => import("#schema/rules/two-step.ts").then((file) => file.codeRules);

type Way = "app" | "passkey" | "recovery";

interface SecondStepProps {
  question: SecondStepQuestion;
  /** The question is over, or the person wants another account. */
  onStartAgain: () => void;
}

/**
 * The second step of a sign-in: a code of the app, a passkey or a recovery code. A new session is only stored: the
 * page's guard sees it and leads on, with what the page remembered.
 */
export default function SecondStep({ question, onStartAgain }: SecondStepProps) {
  const { methods, challenge } = question;
  const [way, setWay] = useState<Way>(methods.app ? "app" : "passkey");
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useAppForm(loadRules, { defaultValues: { code: "" } });
  // Where the person goes on: at the box, or without one at the heading.
  useEffect(() => {
    if (way === "passkey") heading.current?.focus();
    else form.setFocus("code");
  }, [form, way]);

  function show(outcome: SecondStepOutcome) {
    if (outcome.kind === "signed-in") return startSession(outcome.session);
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

  async function answerByPasskey() {
    if (busy) return;
    setBusy(true);
    notify.clearErrors();
    try {
      const passkey = await askForPasskey(await passkeyOptions(challenge));
      show(await completeSignIn({ challenge, passkey }));
    } catch (error) {
      notify.error(error instanceof PasskeyFailure ? error.message : messageOf(error, FALLBACK));
    } finally {
      setBusy(false);
    }
  }

  function choose(next: Way) {
    form.reset();
    notify.clearErrors();
    setWay(next);
    if (next === "passkey") void answerByPasskey();
  }

  const others = (["app", "passkey", "recovery"] as const).filter(
    (one) => one !== way && (one === "recovery" || methods[one]),
  );
  return (
    <section className={classes.step} aria-labelledby="second-step">
      <h2 id="second-step" ref={heading} tabIndex={-1} className={classes.title}>
        Second step
      </h2>
      {way === "passkey" ? (
        <>
          <p className={classes.lead}>Your browser asks for your passkey, your security key or your screen lock.</p>
          <Button loading={busy} onClick={() => void answerByPasskey()}>
            Use a passkey
          </Button>
        </>
      ) : (
        <AppForm form={form} onSubmit={sendCode} fallback={FALLBACK} label="Second step">
          {way === "app" ? (
            <TextField
              control={form.control}
              name="code"
              label="Code"
              hint="The 6 digits that your authenticator app shows now."
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              isCode
            />
          ) : (
            <TextField
              control={form.control}
              name="code"
              label="Recovery Code"
              hint="One of the ten you kept when you set two-step sign-in up. Each works once."
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
      <div className={classes.others}>
        {others.map((one) => (
          <button key={one} type="button" className={classes.other} disabled={busy} onClick={() => choose(one)}>
            {names[one]}
          </button>
        ))}
        <button type="button" className={classes.other} disabled={busy} onClick={onStartAgain}>
          Sign in again
        </button>
      </div>
    </section>
  );
}

const names: Record<Way, string> = {
  app: "Use the authenticator app",
  passkey: "Use a passkey",
  recovery: "Use a recovery code",
};

/** How the second step ended; after `wrong` it may be tried again, after `ended` the sign-in begins anew. */
type SecondStepOutcome = { kind: "signed-in"; session: SessionTokens } | { kind: "wrong" | "ended"; message: string };

/** Answers the question by a code or a passkey. @throws ServerError, NetworkFailure */
async function completeSignIn(input: CompleteSignInMutationVariables["input"]): Promise<SecondStepOutcome> {
  type Variables = CompleteSignInMutationVariables;
  const data = await postGraphql<CompleteSignInMutation, Variables>(completeOperation, { input });
  const { session, problem, message } = data.completeSignIn;
  if (session) return { kind: "signed-in", session };
  return { kind: problem === "TWO_STEP_ENDED" ? "ended" : "wrong", message: message ?? "" };
}

/** What the browser is to ask a passkey, as WebAuthn's JSON. @throws ServerError, NetworkFailure */
async function passkeyOptions(challenge: string): Promise<string> {
  type Variables = BeginPasskeySignInMutationVariables;
  return (await postGraphql<BeginPasskeySignInMutation, Variables>(beginOperation, { challenge })).beginPasskeySignIn;
}
