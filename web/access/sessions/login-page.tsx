import classes from "#web/access/accounts/accounts.module.css";
import { intentTitles, useSignUpIntent } from "#web/access/accounts/sign-up-intent.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { paths } from "#web/platform/paths.ts";
import { SplitLayout } from "#web/ui/page-layout.tsx";
import { useState } from "react";
import { flushSync } from "react-dom";
import { Link, useNavigate } from "react-router-dom";
import type { SignInValues } from "#schema/account.ts";
import { requestPasskey } from "#web/access/two-step/passkey-prompt.ts";
import { startSession } from "#web/platform/session.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField, TextField } from "#web/ui/form/native-fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { type SecondStepChallenge, signIn } from "./sign-in.ts";
import { SecondStep } from "#web/access/two-step/second-step-part.tsx";
import { postGraphql } from "#web/platform/post-graphql.ts";
import beginOperation from "operation:BeginSignInWithPasskey";
import operation from "operation:SignInWithPasskey";
import { brand } from "#schema/brand.ts";
import promise from "./login-page.module.css";

export default function LoginPage() {
  const intent = useSignUpIntent();
  return (
    <SplitLayout
      title={paths.login.title}
      lead="Your username is the email address you registered with."
      aside={<BrandPromise />}
    >
      {intent && (
        <section className={classes.panel} style={{ marginBottom: "1.25rem" }} aria-labelledby="intent">
          <h2 id="intent">{intentTitles[intent]}</h2>
          <LinkButton to={paths.register.href()}>Register Now</LinkButton>
          <p>If you have an account, log in.</p>
        </section>
      )}
      <LoginForm offersAccount={!intent} />
    </SplitLayout>
  );
}

/** Error message for a sign-in that failed without a message from the API. */
const FALLBACK = "Sorry, your user name or password is incorrect or we were unable to connect to the server.";

const FALLBACK_PASSKEY = "Unable to sign you in with a passkey. Please try again.";

const loadRules = () => import("#schema/account.ts").then((file) => file.signInRules);

/**
 * Sign-in form, with the second step for accounts that use two-step sign-in. Only stores a new session; the page's
 * guard then redirects.
 */
function LoginForm({ offersAccount }: { offersAccount: boolean }) {
  const navigate = useNavigate();
  const form = useAppForm(loadRules, { defaultValues: { email: "", password: "" } });
  const { control } = form;
  const [challenge, setChallenge] = useState<SecondStepChallenge | null>(null);

  async function send(values: SignInValues) {
    const outcome = await signIn(values);
    if (outcome.kind === "signed-in") return startSession(outcome.session);
    if (outcome.kind === "second-step") return setChallenge(outcome.question);
    notify.error(outcome.message ?? FALLBACK);
    if (outcome.kind === "not-confirmed") return navigate(paths.emailConfirmation.href({ userId: outcome.handle }));
    form.setError("password", { type: "server", message: outcome.message ?? FALLBACK });
    form.setFocus("password", { shouldSelect: true });
  }

  /** Signs in with a passkey alone, which the browser lets the visitor choose. */
  async function sendPasskey() {
    notify.clearErrors();
    try {
      const { beginSignInWithPasskey } = await postGraphql(beginOperation, {});
      const passkey = await requestPasskey(beginSignInWithPasskey.options);
      const { session, message } = (await postGraphql(operation, { input: { passkey } })).signInWithPasskey;
      if (session) startSession(session);
      else notify.error(message || FALLBACK_PASSKEY);
    } catch (error) {
      notify.failure(error, FALLBACK_PASSKEY);
    }
  }

  function startAgain() {
    form.resetField("password");
    // The pressed button disappears.
    flushSync(() => setChallenge(null));
    form.setFocus("password");
  }

  if (challenge) return <SecondStep question={challenge} onStartAgain={startAgain} />;
  return (
    <AppForm form={form} onSubmit={send} fallback={FALLBACK} label="Login">
      <TextField control={control} name="email" label="Username" inputMode="email" autoComplete="username" />
      <PasswordField control={control} name="password" label="Password" autoComplete="current-password" />
      <FormActions>
        <SubmitButton variant={offersAccount ? undefined : "default"}>Login</SubmitButton>
        <LinkButton variant="default" to={paths.forgotPassword.href()}>
          Forgot Password
        </LinkButton>
      </FormActions>
      <FormActions>
        <BusyButton variant="default" onPress={sendPasskey}>
          Sign in with a passkey
        </BusyButton>
      </FormActions>
      {offersAccount && (
        <p>
          Not yet registered? <Link to={paths.register.href()}>Register Now</Link>
        </p>
      )}
    </AppForm>
  );
}

/** Bars of the schedule: first column and number of columns of 2.75 rem each. */
const bars = [
  { from: 1, columns: 2, tone: "done" },
  { from: 1, columns: 1, tone: "done" },
  { from: 2, columns: 3, tone: "done" },
  { from: 4, columns: 1, tone: "late" },
  { from: 4, columns: 2, tone: "bar" },
  { from: 5, columns: 1, tone: "bar" },
  { from: 5, columns: 2, tone: "ahead" },
] as const;

/** The brand's tagline above a decorative schedule, shown next to the sign-in form. */
function BrandPromise() {
  return (
    <>
      <p
        style={{
          fontSize: "clamp(1.5rem, 1rem + 1.2vw, 2rem)",
          fontWeight: 640,
          lineHeight: 1.15,
          textWrap: "balance",
        }}
      >
        {brand.tagline}
      </p>
      <div className={promise.schedule} aria-hidden="true">
        {bars.map(({ from, columns, tone }, row) => (
          <i
            key={`${from}-${columns}-${tone}`}
            data-tone={tone}
            style={{ gridRow: row + 1, gridColumn: `${from} / span ${columns}` }}
          />
        ))}
      </div>
    </>
  );
}
