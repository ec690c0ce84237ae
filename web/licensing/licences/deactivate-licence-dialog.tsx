import { Stack } from "@mantine/core";
import {
  type ManagedLicenceFragment,
  useDeactivateLicenceMutation,
  useReinstateLicenceMutation,
} from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Confirms the deactivation of a licence; `licence` is null while the dialog is closed. */
export function DeactivateLicenceDialog(props: {
  userId: string;
  licence: ManagedLicenceFragment | null;
  onClose: () => void;
}) {
  const { userId, onClose } = props;
  const licence = useLastValue(props.licence);
  const [deactivate] = useDeactivateLicenceMutation();
  const [reinstate] = useReinstateLicenceMutation();

  async function confirm() {
    if (!licence) return;
    notify.clearErrors();
    const variables = { userId, licenceId: licence.id };
    const message = "You have successfully deactivated the licence.";
    try {
      await deactivate({ variables });
      // Reinstating doesn't resume a subscription, so it wouldn't undo everything.
      if (licence.isSubscribed) notify.success(message);
      else notify.undoable(message, () => void undo(variables));
      onClose();
    } catch (error) {
      notify.failure(error, "Unable to deactivate the licence.");
    }
  }

  async function undo(variables: { userId: string; licenceId: string }) {
    try {
      await reinstate({ variables });
      notify.success("You have successfully reinstated the licence.");
    } catch (error) {
      notify.failure(error, "Unable to reinstate the licence.");
    }
  }

  return (
    <ConfirmDialog
      opened={props.licence !== null}
      title="Deactivate licence"
      confirmLabel="Deactivate"
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      {licence && (
        <Stack gap="sm">
          <p>
            {licence.product} {licence.subscriptionLevel} ({licence.supportCode}) will stop working on all of its
            devices. The customer is notified by email. You can reinstate the licence later.
          </p>
          {licence.isSubscribed && (
            <p>
              A subscription pays for this licence. It ends immediately, and the card is not charged again. No refund is
              issued automatically. If one is due, refund it at the payment provider. Reinstating the licence doesn't
              resume the subscription.
            </p>
          )}
        </Stack>
      )}
    </ConfirmDialog>
  );
}
