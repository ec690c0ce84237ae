import {
  type PromoCodeFieldsFragment,
  useDeletePromoCodeMutation,
  useRestorePromoCodeMutation,
} from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Confirmation dialog for deleting a promo code. `promoCode` is null while the dialog is closed. */
export function DeletePromoCodeDialog(props: {
  promoCode: PromoCodeFieldsFragment | null;
  onClose: () => void;
  onSettled: () => void;
}) {
  const { onClose, onSettled } = props;
  const [deletePromoCode] = useDeletePromoCodeMutation();
  const [restorePromoCode] = useRestorePromoCodeMutation();
  const promoCode = useLastValue(props.promoCode);

  async function remove() {
    notify.clearErrors();
    const variables = { id: promoCode?.id ?? "" };
    try {
      await deletePromoCode({ variables });
      notify.undoable("You have successfully deleted the promo code.", () => void undo(variables));
    } catch (error) {
      notify.failure(error, "Unable to delete the promo code.");
    }
    onClose();
    // Reload after an error too, because another admin may have deleted the code.
    onSettled();
  }

  async function undo(variables: { id: string }) {
    try {
      await restorePromoCode({ variables });
      notify.success("The promo code has been restored.");
    } catch (error) {
      notify.failure(error, "Unable to restore the promo code.");
    }
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={props.promoCode !== null}
      title="Delete promo code"
      confirmLabel="Delete"
      danger
      onConfirm={remove}
      onCancel={onClose}
    >
      {promoCode &&
        `Customers can't use ${promoCode.code} any more. Discounts already given still apply. Do you want to delete this promo code?`}
    </ConfirmDialog>
  );
}
