import { Anchor, Button, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { codeProofRules, passwordProofRules } from "#schema/account.ts";
import { type IdentityProofInput, useBeginPasskeyProofMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { requestPasskey, PasskeyFailure } from "./passkey-prompt.ts";

export interface IdentityProofDialogProps {
  opened: boolean;
  /** Title that describes the change. */
  title: string;
  /** Explanation of the change. */
  children?: ReactNode;
  /** Label of the submit button. */
  confirm: string;
  danger?: boolean;
  /** Methods the account can use. Null while two-step sign-in is off, because the password is enough. */
  methods: { app: boolean; passkey: boolean } | null;
  /** Makes the change with the proof. Errors are shown and the input is kept. */
  onProof: (proof: IdentityProofInput) => Promise<void>;
  onClose: () => void;
}

/** Dialog that requires the password and, if two-step sign-in is on, the second step before a change. */
export function IdentityProofDialog({ opened, title, onClose, ...form }: IdentityProofDialogProps) {
  return (
    <AppDialog opened={opened} title={title} onClose={onClose}>
      {opened && <ProveForm title={title} onClose={onClose} {...form} />}
    </AppDialog>
  );
}

function ProveForm(props: Omit<IdentityProofDialogProps, "opened">) {
  const { title, children, confirm, danger = false, methods, onProof, onClose } = props;
  const [usesPasskey, setUsesPasskey] = useState(methods !== null && methods.passkey && !methods.app);
  const [beginPasskeyProof] = useBeginPasskeyProofMutation();
  const needsCode = methods !== null && !usesPasskey;
  const form = useAppForm<typeof codeProofRules>(needsCode ? codeProofRules : (passwordProofRules as never), {
    defaultValues: { password: "", code: "" },
  });

  async function send({ password, code }: { password: string; code: string }) {
    try {
      if (methods !== null && usesPasskey) {
        const { data } = await beginPasskeyProof();
        await onProof({ password, passkey: await requestPasskey(data?.beginPasskeyProof.options ?? "{}") });
      } else await onProof(methods === null ? { password } : { password, code });
    } catch (error) {
      if (!(error instanceof PasskeyFailure)) throw error;
      notify.error(error.message);
    }
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to change your two-step sign-in settings." label={title}>
      {children && <Stack gap="xs">{children}</Stack>}
      <PasswordField control={form.control} name="password" label="Password" autoComplete="current-password" />
      {needsCode && (
        <TextField
          control={form.control}
          name="code"
          label="Code"
          hint={
            methods.app
              ? "Enter a code from your authenticator app, or a recovery code."
              : "Enter one of your recovery codes."
          }
          autoComplete="one-time-code"
          maxLength={40}
          isCode
        />
      )}
      {methods?.passkey && (
        <Anchor component="button" type="button" size="sm" onClick={() => setUsesPasskey(!usesPasskey)}>
          {usesPasskey ? "Use a code instead" : "Use a passkey instead"}
        </Anchor>
      )}
      {usesPasskey && (
        <Text size="sm" c="dimmed">
          Your browser will then prompt you for your passkey.
        </Text>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton danger={danger}>{confirm}</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
