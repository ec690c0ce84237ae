import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { flushSync } from "react-dom";
import { passwordProofRules } from "#schema/account.ts";
import { getCurrentPlace, goTo } from "#web/platform/navigator.ts";
import { loginHref } from "#web/platform/paths.ts";
import {
  leaveEndedSession,
  parseClaims,
  type Session,
  type SessionTokens,
  startSession,
} from "#web/platform/session.ts";
import { notify } from "#web/platform/notifications.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { type SecondStepChallenge, signIn } from "./sign-in.ts";
import { SecondStep } from "#web/access/two-step/second-step-part.tsx";

const FALLBACK = "Unable to sign you in. Please try again.";
const OTHER_ACCOUNT = "This email address belongs to another account now. Please use another account to sign in.";

/**
 * Signs the same user in again after the API has ended the session, while the page below keeps its content. Requests
 * that failed are then repeated (`refresh-session.ts`). A sign-in in another tab closes the dialog, too.
 */
export default function SignInAgainDialog({ session: { claims } }: { session: Session }) {
  const form = useAppForm(passwordProofRules, { defaultValues: { password: "" } });
  const [challenge, setChallenge] = useState<SecondStepChallenge | null>(null);

  function refuse(message: string) {
    form.setError("password", { type: "server", message });
    form.setFocus("password", { shouldSelect: true });
  }

  function finish(tokens: SessionTokens) {
    if (parseClaims(tokens.accessToken)?.id === claims.id) return startSession(tokens);
    flushSync(() => setChallenge(null));
    notify.error(OTHER_ACCOUNT);
    refuse(OTHER_ACCOUNT);
  }

  async function send({ password }: { password: string }) {
    const outcome = await signIn({ email: claims.email, password });
    if (outcome.kind === "signed-in") return finish(outcome.session);
    if (outcome.kind === "second-step") return setChallenge(outcome.question);
    notify.error(outcome.message ?? FALLBACK);
    refuse(outcome.message ?? FALLBACK);
  }

  function leave() {
    const place = getCurrentPlace();
    leaveEndedSession();
    goTo(loginHref(place), { replace: true });
  }

  function startAgain() {
    form.reset();
    // The pressed button disappears.
    flushSync(() => setChallenge(null));
    form.setFocus("password");
  }

  return (
    <AppDialog opened title="Sign in again" size="sm" isPersistent onClose={leaveEndedSession}>
      {challenge ? (
        <SecondStep question={challenge} onStartAgain={startAgain} onSignedIn={finish} />
      ) : (
        <AppForm form={form} onSubmit={send} fallback={FALLBACK} label="Sign in again">
          <Text size="sm" c="dimmed">
            Your session has ended. Sign in to continue where you were. What you typed on this page is kept.
          </Text>
          <div>
            <Text size="sm" fw={560}>
              Email
            </Text>
            <Text data-break="anywhere">{claims.email}</Text>
          </div>
          {/* Password managers look for the account's name in a field. */}
          <input type="text" autoComplete="username" value={claims.email} readOnly hidden />
          <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
          <DialogActions>
            <Button variant="default" onClick={leave}>
              Use another account
            </Button>
            <SubmitButton>Sign in</SubmitButton>
          </DialogActions>
        </AppForm>
      )}
    </AppDialog>
  );
}
