import {
  type UserHeaderFieldsFragment,
  useResendUserConfirmationMutation,
  useSendPasswordResetMutation,
} from "#web/generated/graphql.ts";
import { useCanChangeAccess } from "#web/platform/staff-role.tsx";
import { Button } from "#web/ui/button.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

/** Buttons that email a user a link, each with a confirmation. Hidden for archived users. */
export function AccountLinkButtons({ user }: { user: UserHeaderFieldsFragment }) {
  const [sendPasswordReset] = useSendPasswordResetMutation();
  const [resendConfirmation] = useResendUserConfirmationMutation();
  const mayReset = useCanChangeAccess(user.memberType);
  if (!user.isActive) return null;
  const variables = { userId: user.id };
  return (
    <>
      {!user.emailConfirmed && (
        <LinkButton
          action="confirmation"
          label="Resend Confirmation"
          text="The user gets a new link to confirm their email address. The older link stops working."
          onSend={() => resendConfirmation({ variables })}
        />
      )}
      {mayReset && (
        <LinkButton
          action="password-reset"
          label="Send Password Reset"
          text="The user gets a link to choose a new password. The current password works until they use the link."
          onSend={() => sendPasswordReset({ variables })}
        />
      )}
    </>
  );
}

interface LinkButtonProps {
  /** Name for the URL parameter `action`. */
  action: string;
  label: string;
  text: string;
  onSend: () => Promise<unknown>;
}

function LinkButton({ action, label, text, onSend }: LinkButtonProps) {
  const ask = () =>
    confirmAction({
      title: label,
      confirmLabel: "Send email",
      text,
      run: onSend,
      success: "The email has been sent.",
      failure: "Unable to send the email.",
    });
  useRequestedAction({ [action]: ask });
  return (
    <Button variant="default" onClick={ask}>
      {label}
    </Button>
  );
}
