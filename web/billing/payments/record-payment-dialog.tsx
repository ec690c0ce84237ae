import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { findLabel, toCode } from "#schema/closed-list.ts";
import { getCalendarDay } from "#schema/days.ts";
import { formatDay } from "#schema/dates.ts";
import { recordedPaymentMethods } from "#schema/manual-invoice.ts";
import { formatAud, parseCents } from "#schema/money.ts";
import { receivedPaymentFormRules, type ReceivedPaymentFormValues } from "#schema/manual-invoice-form.ts";
import { useManualInvoiceQuery, usePaymentPreviewQuery, useRecordPaymentMutation } from "#web/generated/graphql.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import { notify } from "#web/platform/notifications.ts";
import type { InvoiceDialogProps } from "#web/billing/invoices/void-dialog.tsx";
import { UnitField } from "#web/billing/promo-codes/unit-field.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { useDialogBusy } from "#web/ui/dialog-busy.ts";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Dialog for recording a payment of an open invoice: first its details, then its effects. */
export default function RecordPaymentDialog({ invoice, onDone, ...dialog }: InvoiceDialogProps) {
  // Each try of this dialog is the same request, also after Back.
  const [key] = useState(createRequestKey);
  const [today] = useState(() => getCalendarDay(new Date()));
  const [entered, setEntered] = useState<ReceivedPaymentFormValues | null>(null);
  const form = useAppForm(receivedPaymentFormRules, {
    defaultValues: {
      method: "bank_transfer",
      amount: formatAud(invoice.balanceCents),
      receivedDay: today,
      reference: "",
    },
  });
  const { control } = form;
  if (entered)
    return (
      <AppDialog {...dialog} title="Record Payment">
        <ConfirmPayment
          invoice={invoice}
          values={entered}
          requestKey={key}
          onBack={() => setEntered(null)}
          onClose={dialog.onClose}
          onDone={onDone}
        />
      </AppDialog>
    );
  return (
    <FormDialog
      {...dialog}
      title="Record Payment"
      submit="Continue"
      form={form}
      onSubmit={setEntered}
      fallback="Unable to record the payment."
      label="Payment"
    >
      <Text>
        Invoice {invoice.number} for {invoice.customerName} has a balance of {formatAud(invoice.balanceCents)}.
      </Text>
      <FieldColumns>
        <SelectField control={control} name="method" label="Method" options={recordedPaymentMethods} />
        <UnitField control={control} name="amount" label="Amount" unit="AUD" />
      </FieldColumns>
      <FieldColumns>
        <DateField control={control} name="receivedDay" label="Received date" max={today} />
        <TextField control={control} name="reference" label="Reference" optional maxLength={100} autoComplete="off" />
      </FieldColumns>
    </FormDialog>
  );
}

interface ConfirmPaymentProps extends Omit<InvoiceDialogProps, "opened"> {
  values: ReceivedPaymentFormValues;
  requestKey: string;
  onBack: () => void;
}

function ConfirmPayment({ invoice, values, requestKey, onBack, onClose, onDone }: ConfirmPaymentProps) {
  const { amount, reference, method, receivedDay } = values;
  const amountCents = parseCents(amount) ?? 0;
  const id = invoice.manualInvoiceId ?? "";
  const [recordPayment, { loading }] = useRecordPaymentMutation();
  useDialogBusy(loading);
  const preview = usePaymentPreviewQuery({ variables: { invoiceId: id, amountCents }, fetchPolicy: "network-only" });
  const details = useManualInvoiceQuery({ variables: { id }, fetchPolicy: "network-only" });
  const plan = preview.data?.paymentPreview;
  const current = details.data?.manualInvoice;

  async function record() {
    if (!current) return;
    notify.clearErrors();
    try {
      const { data } = await recordPayment({
        variables: {
          invoiceId: id,
          key: requestKey,
          expectedBalanceCents: current.balanceCents,
          input: {
            method: toCode(recordedPaymentMethods, method),
            amountCents,
            receivedDay,
            reference: reference || null,
          },
        },
      });
      const paid = data?.recordPayment.invoice;
      notify.success(
        paid?.status === "PAID" && !plan?.isErased
          ? `Invoice ${paid.number} is paid. The receipt was emailed.`
          : "The payment has been recorded.",
      );
      onClose();
    } catch (error) {
      notify.failure(error, "Unable to record the payment.");
      onBack();
    }
    onDone();
  }

  if (!plan || !current)
    return (
      <Loaded
        query={{
          error: preview.error ?? details.error,
          refetch: () => Promise.all([preview.refetch(), details.refetch()]),
        }}
        failure="Unable to calculate the effect of the payment."
        loading="Calculating the effect of the payment"
      />
    );
  const isInFull = plan.balanceCents === 0;
  return (
    <Stack gap="sm">
      <Text>
        {formatAud(amountCents)} by {findLabel(recordedPaymentMethods, method).toLowerCase()} on{" "}
        {formatDay(receivedDay)} is recorded for invoice {invoice.number}.
      </Text>
      <Text fw={600}>
        {isInFull
          ? `The invoice is then paid in full${plan.isErased ? "" : `, and the receipt is emailed to ${invoice.customerName}`}.`
          : `${formatAud(plan.balanceCents)} is then still to be paid.`}
      </Text>
      {plan.creditCents > 0 && (
        <Text>
          {formatAud(plan.creditCents)} is more than the balance and becomes the customer’s credit
          {plan.isErased ? ", which no invoice can use any more. Record only the balance and return the rest" : ""}.
        </Text>
      )}
      {plan.isErased && (
        <Text>The account was deleted, so nothing is emailed, and no licence is issued or extended.</Text>
      )}
      {isInFull && !plan.isErased && current.licenceTerms && (
        <Text>
          {current.licenceTerms.licenceId ? "The licence is extended to " : "A new licence is issued until "}
          {formatDay(current.licenceTerms.until)}.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        A recorded payment can’t be deleted.
      </Text>
      <DialogActions>
        <Button variant="default" onClick={onBack} disabled={loading}>
          Back
        </Button>
        <Button loading={loading} onClick={() => void record()} data-autofocus>
          Record Payment
        </Button>
      </DialogActions>
    </Stack>
  );
}
