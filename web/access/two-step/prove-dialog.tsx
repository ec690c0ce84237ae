import { type ReactNode, useState } from "react";
import { codeProofRules, passwordProofRules } from "#schema/rules/two-step.ts";
import { type IdentityProofInput, useBeginPasskeyProofMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { askForPasskey, PasskeyFailure } from "./ask-passkey.ts";
import classes from "./two-step.module.css";
import { Button } from "#web/ui/button.tsx";

export interface ProveDialogProps {
  opened: boolean;
  /** The dialog's name: what is about to happen. */
  title: string;
  /** What it means. */
  children?: ReactNode;
  /** The button's words. */
  confirm: string;
  danger?: boolean;
  /** What the account can prove itself by; null while two-step sign-in is off and the password is enough. */
  methods: { app: boolean; passkey: boolean } | null;
  /** Does it, with the proof; what it throws is shown, and what was typed stays. */
  onProof: (proof: IdentityProofInput) => Promise<void>;
  onClose: () => void;
}

/** Asks for the password again, and for the second step of an account that has two, before something changes. */
export function ProveDialog({ opened, title, onClose, ...form }: ProveDialogProps) {
  return (
    <AppDialog opened={opened} title={title} onClose={onClose}>
      {opened && <ProveForm title={title} onClose={onClose} {...form} />}
    </AppDialog>
  );
}

function ProveForm(props: Omit<ProveDialogProps, "opened">) {
  const { title, children, confirm, danger = false, methods, onProof, onClose } = props;
  const [byPasskey, setByPasskey] = useState(methods !== null && methods.passkey && !methods.app);
  const [beginPasskeyProof] = useBeginPasskeyProofMutation();
  const needsCode = methods !== null && !byPasskey;
  const form = useAppForm<typeof codeProofRules>(needsCode ? codeProofRules : (passwordProofRules as never), {
    defaultValues: { password: "", code: "" },
  });

  async function send({ password, code }: { password: string; code: string }) {
    try {
      if (methods !== null && byPasskey) {
        const { data } = await beginPasskeyProof();
        await onProof({ password, passkey: await askForPasskey(data?.beginPasskeyProof ?? "{}") });
      } else await onProof(methods === null ? { password } : { password, code });
    } catch (error) {
      if (!(error instanceof PasskeyFailure)) throw error;
      notify.error(error.message);
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to change your two-step sign-in." label={title}>
      {children && <div className={classes.text}>{children}</div>}
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
      {needsCode && (
        <TextField
          control={form.control}
          name="code"
          label="Code"
          hint={methods.app ? "From your authenticator app, or a recovery code." : "One of your recovery codes."}
          autoComplete="one-time-code"
          maxLength={40}
          isCode
        />
      )}
      {methods?.passkey && (
        <button type="button" className={classes.switch} onClick={() => setByPasskey(!byPasskey)}>
          {byPasskey ? "Use a code instead" : "Use a passkey instead"}
        </button>
      )}
      {byPasskey && <p className={classes.hint}>Next, your browser asks for your passkey.</p>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton danger={danger}>{confirm}</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
