import { formatAud } from "#schema/money.ts";
import { type InvoiceRowFragment, useDiscardInvoiceMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";

export interface InvoiceDialogProps {
  /** Null while the dialog is closed. */
  invoice: InvoiceRowFragment | null;
  onClose: () => void;
  onDone: () => void;
}

/** Confirmation dialog for deleting a draft. */
export function DiscardDialog(props: InvoiceDialogProps) {
  const [discardInvoice] = useDiscardInvoiceMutation();
  const invoice = useLastValue(props.invoice);

  async function discard() {
    notify.clearErrors();
    try {
      await discardInvoice({ variables: { id: invoice?.manualInvoiceId ?? "" } });
      notify.success("The draft has been discarded.");
    } catch (error) {
      notify.failure(error, "Unable to discard the draft.");
    }
    props.onClose();
    props.onDone();
  }

  return (
    <ConfirmDialog
      opened={props.invoice !== null}
      title="Discard draft"
      confirmLabel="Discard draft"
      danger
      onConfirm={discard}
      onCancel={props.onClose}
    >
      {invoice &&
        `The draft over ${formatAud(invoice.totalCents)} for ${invoice.customerName} is deleted. It was never sent. This can't be undone.`}
    </ConfirmDialog>
  );
}
