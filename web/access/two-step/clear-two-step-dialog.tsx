import { Button } from "@mantine/core";
import type { InferType } from "yup";
import { clearTwoStepRules } from "#schema/account.ts";
import { type TwoStepOfUserQuery, useClearTwoStepSignInMutation } from "#web/generated/graphql.ts";
import { Callout } from "#web/ui/callout.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextAreaField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";

interface ClearTwoStepDialogProps {
  user: TwoStepOfUserQuery["user"];
  opened: boolean;
  onClose: (isDone: boolean) => void;
}

/**
 * Dialog that requires a reason and a confirmation that the admin verified the user's identity, because the password
 * alone is enough to sign in afterwards.
 */
export function ClearTwoStepDialog({ user, opened, onClose }: ClearTwoStepDialogProps) {
  return (
    <AppDialog opened={opened} title="Clear two-step sign-in" onClose={() => onClose(false)}>
      {opened && <ClearTwoStepForm user={user} onClose={onClose} />}
    </AppDialog>
  );
}

function ClearTwoStepForm({ user, onClose }: Omit<ClearTwoStepDialogProps, "opened">) {
  const [clear] = useClearTwoStepSignInMutation();
  const form = useAppForm(clearTwoStepRules, { defaultValues: { reason: "", isIdentityChecked: false as never } });
  const name = `${user.firstName} ${user.lastName}`;

  async function send(input: InferType<typeof clearTwoStepRules>) {
    const { data } = await clear({ variables: { userId: user.id, input } });
    notify.success(
      data?.clearTwoStepSignIn.wasOn === false
        ? "Two-step sign-in was already off."
        : "Two-step sign-in has been cleared. We have notified the user by email.",
    );
    onClose(true);
  }

  return (
    <AppForm
      form={form}
      onSubmit={send}
      fallback="Unable to clear the user's two-step sign-in."
      label="Clear two-step sign-in"
    >
      <Callout tone="critical">
        <p>
          This deletes the authenticator app, passkeys and recovery codes of {name} and ends every session. The user can
          then sign in with only the password. This can't be undone.
        </p>
      </Callout>
      <TextAreaField
        control={form.control}
        name="reason"
        label="Reason"
        hint="Kept in the audit log. The user doesn't see it."
        rows={3}
      />
      <CheckboxField
        control={form.control}
        name="isIdentityChecked"
        label={`I have verified by means other than email that this request comes from ${name}`}
      />
      <DialogActions>
        <Button variant="default" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <SubmitButton danger>Clear two-step sign-in</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
