import { Anchor, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { codeRules, passwordProofRules } from "#schema/account.ts";
import {
  type ProveIdentityMutationVariables,
  useBeginPasskeyProofMutation,
  useProveIdentityMutation,
  useTwoStepSignInQuery,
} from "#web/generated/graphql.ts";
import DataLayer from "#web/platform/data-layer.tsx";
import { notify } from "#web/platform/notifications.ts";
import { proofRequest } from "#web/platform/step-up.ts";
import { Button } from "#web/ui/button.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { requestPasskey } from "./passkey-prompt.ts";

const TITLE = "Confirm that it's you";
const FALLBACK = "We couldn't confirm that it's you. Please try again.";

/**
 * Dialog that proves the user's identity with a password or, if two-step sign-in is on, a code or a passkey. The operation
 * that needed the proof then continues (decision 0059).
 */
export default function StepUpDialog() {
  return (
    <AppDialog opened title={TITLE} onClose={cancel} size="sm">
      {/* The portal's frame, which shows this dialog, is outside the page's client. */}
      <DataLayer>
        <Proof />
      </DataLayer>
    </AppDialog>
  );
}

const cancel = () => proofRequest.settle(false);

function Proof() {
  const query = useTwoStepSignInQuery({ fetchPolicy: "network-only", context: { staysOnPage: true } });
  const [prove] = useProveIdentityMutation();

  async function send(proof: ProveIdentityMutationVariables) {
    await prove({ variables: proof });
    proofRequest.settle(true);
  }

  if (!query.data) return <Loaded query={query} failure={FALLBACK} />;
  const { onSince, appAddedAt, passkeys } = query.data.twoStepSignIn;
  return onSince === null ? (
    <PasswordProof onSend={send} />
  ) : (
    <SecondStepProof hasApp={appAddedAt !== null} hasPasskey={passkeys.length > 0} onSend={send} />
  );
}

interface ProofProps {
  onSend: (proof: ProveIdentityMutationVariables) => Promise<void>;
}

function PasswordProof({ onSend }: ProofProps) {
  const form = useAppForm(passwordProofRules, { defaultValues: { password: "" } });
  useEffect(() => form.setFocus("password"), [form]);
  return (
    <AppForm form={form} onSubmit={onSend} fallback={FALLBACK} label={TITLE}>
      <Text>Enter your password to continue. For the next 10 minutes we won't require it again.</Text>
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
      <Actions />
    </AppForm>
  );
}

function SecondStepProof({ hasApp, hasPasskey, onSend }: ProofProps & { hasApp: boolean; hasPasskey: boolean }) {
  const form = useAppForm(codeRules, { defaultValues: { code: "" } });
  // Without an app, the code is a recovery code, which users keep for when their passkey is lost.
  const prefersPasskey = hasPasskey && !hasApp;
  const passkeyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (prefersPasskey) passkeyButton.current?.focus();
    else form.setFocus("code");
  }, [form, prefersPasskey]);
  const [beginPasskeyProof] = useBeginPasskeyProofMutation();
  const [isBusy, setIsBusy] = useState(false);

  async function sendPasskey() {
    // A second prompt of the browser would end the first.
    if (isBusy) return;
    setIsBusy(true);
    notify.clearErrors();
    try {
      const { data } = await beginPasskeyProof();
      await onSend({ passkey: await requestPasskey(data?.beginPasskeyProof.options ?? "{}") });
    } catch (error) {
      notify.failure(error, FALLBACK);
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <AppForm form={form} onSubmit={onSend} fallback={FALLBACK} label={TITLE}>
      <Text>
        {hasApp
          ? "Enter a code from your authenticator app, or a recovery code, to continue."
          : "Use your passkey, or enter a recovery code, to continue."}{" "}
        For the next 10 minutes we won't require it again.
      </Text>
      {prefersPasskey && (
        <Button ref={passkeyButton} data-autofocus loading={isBusy} onClick={() => void sendPasskey()}>
          Use passkey
        </Button>
      )}
      <TextField
        control={form.control}
        name="code"
        label={prefersPasskey ? "Recovery code" : "Code"}
        autoComplete="one-time-code"
        maxLength={40}
        isCode
      />
      {hasPasskey && hasApp && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-busy={isBusy || undefined}
          onClick={() => void sendPasskey()}
        >
          Use a passkey instead
        </Anchor>
      )}
      <Actions isSecond={prefersPasskey} />
    </AppForm>
  );
}

/** Buttons of the form; `isSecond` if the passkey is the main way. */
function Actions({ isSecond = false }: { isSecond?: boolean }) {
  return (
    <DialogActions>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <SubmitButton {...(isSecond ? { variant: "default" } : {})}>Confirm</SubmitButton>
    </DialogActions>
  );
}
