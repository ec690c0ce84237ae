import { useResetDeactivationCounterMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";

/** Asks before a customer's deactivations are counted anew. */
export function ResetCounterDialog(props: { userId: string; opened: boolean; onClose: () => void }) {
  const { userId, opened, onClose } = props;
  const [reset] = useResetDeactivationCounterMutation();

  async function confirm() {
    notify.clearErrors();
    try {
      await reset({ variables: { userId } });
      notify.success("The user's licence deactivation counter has been reset successfully.");
      onClose();
    } catch (error) {
      notify.failure(error, "Unable to reset the user's licence deactivation counter.");
    }
  }

  return (
    <ConfirmDialog opened={opened} title="Reset Licence Deactivation Counter" onConfirm={confirm} onCancel={onClose}>
      The devices this user has freed so far no longer count. From now on they may free as many as their annual
      deactivation limit says.
    </ConfirmDialog>
  );
}
