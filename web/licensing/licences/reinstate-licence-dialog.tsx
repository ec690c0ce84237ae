import { type ManagedLicenceFragment, useReinstateLicenceMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Confirms reinstating a deactivated licence; `licence` is null while the dialog is closed. */
export function ReinstateLicenceDialog(props: {
  userId: string;
  licence: ManagedLicenceFragment | null;
  onClose: () => void;
}) {
  const { userId, onClose } = props;
  const licence = useLastValue(props.licence);
  const [reinstate] = useReinstateLicenceMutation();

  async function confirm() {
    if (!licence) return;
    notify.clearErrors();
    try {
      await reinstate({ variables: { userId, licenceId: licence.id } });
      notify.success("You have successfully reinstated the licence.");
      onClose();
    } catch (error) {
      notify.failure(error, "Unable to reinstate the licence.");
    }
  }

  return (
    <ConfirmDialog
      opened={props.licence !== null}
      title="Reinstate licence"
      confirmLabel="Reinstate"
      onConfirm={confirm}
      onCancel={onClose}
    >
      {licence && (
        <>
          {licence.product} {licence.subscriptionLevel} ({licence.supportCode}) will work again with the same licence
          code and devices until its expiry date. An ended subscription is not resumed. The customer is notified by
          email.
        </>
      )}
    </ConfirmDialog>
  );
}
