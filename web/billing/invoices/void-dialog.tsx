import { Button, Text } from "@mantine/core";
import { formatAud } from "#schema/money.ts";
import { reasonRules } from "#schema/manual-invoice.ts";
import { useVoidInvoiceMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import type { InvoiceDialogProps } from "./discard-dialog.tsx";

/** Dialog for voiding an open invoice with a reason. */
export function VoidDialog(props: InvoiceDialogProps) {
  const invoice = useLastValue(props.invoice);
  return (
    <AppDialog opened={props.invoice !== null} title={`Void invoice ${invoice?.number ?? ""}`} onClose={props.onClose}>
      {invoice && <VoidForm {...props} invoice={invoice} />}
    </AppDialog>
  );
}

function VoidForm({
  invoice,
  onClose,
  onDone,
}: InvoiceDialogProps & { invoice: NonNullable<InvoiceDialogProps["invoice"]> }) {
  const [voidInvoice] = useVoidInvoiceMutation();
  const form = useAppForm(reasonRules, { defaultValues: { reason: "" } });
  const usedCents = invoice.totalCents - invoice.balanceCents;

  async function send({ reason }: { reason: string }) {
    const { data } = await voidInvoice({ variables: { id: invoice.manualInvoiceId ?? "", reason } });
    notify.success(
      `Invoice ${invoice.number} is void. Adjustment note ${data?.voidInvoice.voidNoteNumber} was emailed.`,
    );
    onClose();
    onDone();
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to void the invoice." label="Void invoice">
      <Text>
        An adjustment note for {formatAud(invoice.totalCents)} cancels invoice {invoice.number}, and is emailed to{" "}
        {invoice.customerName}. No licence is issued or extended.
        {usedCents > 0 && ` The ${formatAud(usedCents)} already paid becomes the customer’s credit.`} This can’t be
        undone.
      </Text>
      <TextAreaField control={form.control} name="reason" label="Reason" rows={3} hint="For the audit log" focusFirst />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton danger>Void invoice</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
