import { Text } from "@mantine/core";
import { formatAud } from "#schema/money.ts";
import { reasonRules } from "#schema/manual-invoice.ts";
import { type InvoiceRowFragment, useVoidInvoiceMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

export interface InvoiceDialogProps extends DialogControl {
  invoice: InvoiceRowFragment;
  onDone: () => void;
}

/** Dialog for voiding an open invoice with a reason. */
export default function VoidDialog({ invoice, onDone, ...dialog }: InvoiceDialogProps) {
  const [voidInvoice] = useVoidInvoiceMutation();
  const form = useAppForm(reasonRules, { defaultValues: { reason: "" } });
  const { manualInvoiceId, balanceCents: expectedBalanceCents } = invoice;
  const usedCents = invoice.totalCents - expectedBalanceCents;

  return (
    <FormDialog
      {...dialog}
      title={`Void invoice ${invoice.number}`}
      form={form}
      onSubmit={({ reason }) => voidInvoice({ variables: { id: manualInvoiceId ?? "", reason, expectedBalanceCents } })}
      success={(_values, { data }) =>
        `Invoice ${invoice.number} is void. Adjustment note ${data?.voidInvoice.voidNoteNumber} was emailed.`
      }
      onDone={onDone}
      fallback="Unable to void the invoice."
      label="Void invoice"
      submit="Void invoice"
      danger
    >
      <Text>
        An adjustment note for {formatAud(invoice.totalCents)} cancels invoice {invoice.number}, and is emailed to{" "}
        {invoice.customerName}. No licence is issued or extended, and seats that were added with the invoice stay.
        {usedCents > 0 && ` The ${formatAud(usedCents)} already paid becomes the customer’s credit.`} Goodwill credit
        that reduced the price becomes credit again. This can’t be undone.
      </Text>
      <TextAreaField control={form.control} name="reason" label="Reason" rows={3} hint="For the audit log" focusFirst />
    </FormDialog>
  );
}
