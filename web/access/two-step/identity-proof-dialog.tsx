import { Anchor, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { codeProofRules, passwordProofRules } from "#schema/account.ts";
import { type IdentityProofInput, useBeginPasskeyProofMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { PasswordField, TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { requestPasskey } from "./passkey-prompt.ts";

interface IdentityProofDialogProps extends DialogControl {
  title: string;
  children?: ReactNode;
  confirm: string;
  danger?: boolean;
  /** Methods the account can use. Null while two-step sign-in is off, because the password is enough. */
  methods: { app: boolean; passkey: boolean } | null;
  /** Makes the change with the proof, and returns what follows once the dialog is closed. Errors keep the input. */
  onProof: (proof: IdentityProofInput) => Promise<() => unknown>;
}

/** Dialog that requires the password and, if two-step sign-in is on, the second step before a change. */
export default function IdentityProofDialog(props: IdentityProofDialogProps) {
  const { title, children, confirm, danger = false, methods, onProof, ...dialog } = props;
  const [usesPasskey, setUsesPasskey] = useState(methods !== null && methods.passkey && !methods.app);
  const [beginPasskeyProof] = useBeginPasskeyProofMutation();
  const needsCode = methods !== null && !usesPasskey;
  const form = useAppForm<typeof codeProofRules>(needsCode ? codeProofRules : (passwordProofRules as never), {
    defaultValues: { password: "", code: "" },
  });

  async function prove({ password, code }: { password: string; code: string }): Promise<IdentityProofInput> {
    if (methods === null) return { password };
    if (!usesPasskey) return { password, code };
    const { data } = await beginPasskeyProof();
    return { password, passkey: await requestPasskey(data?.beginPasskeyProof.options ?? "{}") };
  }

  async function send(values: { password: string; code: string }) {
    const next = await onProof(await prove(values));
    dialog.onClose();
    await next();
  }

  return (
    <FormDialog
      {...dialog}
      title={title}
      form={form}
      onSubmit={send}
      fallback="Unable to change your two-step sign-in settings."
      submit={confirm}
      danger={danger}
    >
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
    </FormDialog>
  );
}
