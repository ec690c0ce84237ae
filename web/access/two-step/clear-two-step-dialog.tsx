import { clearTwoStepRules } from "#schema/account.ts";
import { useClearTwoStepSignInMutation, type UserSessionsQuery } from "#web/generated/graphql.ts";
import { Callout } from "#web/ui/callout.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextAreaField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface ClearTwoStepDialogProps extends DialogControl {
  user: Pick<UserSessionsQuery["user"], "id" | "firstName" | "lastName">;
  onDone: () => void;
}

/**
 * Dialog that requires a reason and a confirmation that the admin verified the user's identity, because the password
 * alone is enough to sign in afterwards.
 */
export default function ClearTwoStepDialog({ user, onDone, ...dialog }: ClearTwoStepDialogProps) {
  const [clear] = useClearTwoStepSignInMutation();
  const form = useAppForm(clearTwoStepRules, { defaultValues: { reason: "", isIdentityChecked: false as never } });
  const name = `${user.firstName} ${user.lastName}`;

  return (
    <FormDialog
      {...dialog}
      title="Clear two-step sign-in"
      form={form}
      onSubmit={(input) => clear({ variables: { userId: user.id, input } })}
      success={(_input, { data }) =>
        data?.clearTwoStepSignIn.wasOn === false
          ? "Two-step sign-in was already off."
          : "Two-step sign-in has been cleared. We have notified the user by email."
      }
      onDone={onDone}
      fallback="Unable to clear the user's two-step sign-in."
      submit="Clear two-step sign-in"
      danger
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
    </FormDialog>
  );
}
