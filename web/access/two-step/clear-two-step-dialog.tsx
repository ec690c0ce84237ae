import type { InferType } from "yup";
import { clearTwoStepRules } from "#schema/rules/two-step.ts";
import { type TwoStepOfUserQuery, useClearTwoStepSignInMutation } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
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

/** Asks why, and whether the admin made sure who asks: a password alone opens the account afterwards. */
export function ClearTwoStepDialog({ user, opened, onClose }: ClearTwoStepDialogProps) {
  return (
    <AppDialog opened={opened} title="Clear Two-Step Sign-In" onClose={() => onClose(false)}>
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
      data?.clearTwoStepSignIn === false
        ? "Two-step sign-in was off already."
        : "Two-step sign-in has been cleared, and the user has been told by mail.",
    );
    onClose(true);
  }

  return (
    <AppForm
      form={form}
      onSubmit={send}
      fallback="Unable to clear the user's two-step sign-in."
      label="Clear Two-Step Sign-In"
    >
      <Callout tone="critical">
        <p>
          The authenticator app, passkeys and recovery codes of {name} are erased, every session ends, and the password
          alone opens the account. This cannot be undone.
        </p>
      </Callout>
      <TextAreaField
        control={form.control}
        name="reason"
        label="Reason"
        hint="Stays in the audit log. The user does not read it."
        rows={3}
      />
      <CheckboxField
        control={form.control}
        name="isIdentityChecked"
        label={`I have made sure, by another way than mail, that it is ${name} who asks`}
      />
      <DialogActions>
        <Button variant="default" onClick={() => onClose(false)}>
          Cancel
        </Button>
        <SubmitButton danger>Yes</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
