import { Button, Text } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import { invoiceDetailsRules, type InvoiceDetailsValues } from "#schema/billing-details.ts";
import { reasonRules } from "#schema/manual-invoice.ts";
import {
  type InvoiceDetailsFieldsFragment,
  useReissuedCustomerQuery,
  useReissueInvoiceMutation,
} from "#web/generated/graphql.ts";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import type { InvoiceDialogProps } from "./discard-dialog.tsx";

const rules = invoiceDetailsRules.concat(reasonRules);
type Values = InvoiceDetailsValues & { reason: string };

/** Dialog for re-issuing an invoice to another company, ABN or address. Suggests the details of the account. */
export function ReissueDialog(props: InvoiceDialogProps) {
  const invoice = useLastValue(props.invoice);
  const opened = props.invoice !== null;
  const { data, error } = useReissuedCustomerQuery({
    variables: { userId: invoice?.userId ?? "" },
    skip: !opened,
    fetchPolicy: "network-only",
  });
  return (
    <AppDialog opened={opened} title={`Re-issue invoice ${invoice?.number ?? ""}`} size="lg" onClose={props.onClose}>
      {invoice && data ? (
        <ReissueForm {...props} invoice={invoice} customer={data.user} />
      ) : error ? (
        <ErrorState message={formatError(error, "Unable to load the customer.")} />
      ) : (
        <LoadingBlock label="Loading the customer" />
      )}
    </AppDialog>
  );
}

function ReissueForm({
  invoice,
  customer,
  onClose,
  onDone,
}: InvoiceDialogProps & {
  invoice: NonNullable<InvoiceDialogProps["invoice"]>;
  customer: InvoiceDetailsFieldsFragment;
}) {
  const [reissueInvoice] = useReissueInvoiceMutation();
  const details = invoiceDetailsRules.cast(customer, { stripUnknown: true, assert: false });
  const form = useAppForm(rules, { defaultValues: { ...details, reason: "" } });
  const { control } = form;

  async function send({ reason, ...buyer }: Values) {
    const { data } = await reissueInvoice({
      variables: { taxInvoiceId: invoice.taxInvoiceId ?? "", buyer, reason },
    });
    notify.success(
      `Invoice ${invoice.number} was re-issued as ${data?.reissueInvoice.number}. Both documents were emailed.`,
    );
    onClose();
    onDone();
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to re-issue the invoice." label="Re-issue invoice">
      <Text>
        An adjustment note cancels invoice {invoice.number}, and a new invoice with these details replaces it. Payments,
        dates and service periods stay. The account keeps its details.
      </Text>
      <TextField
        control={control}
        name="companyName"
        label="Organisation / Company Name"
        optional
        hint={`Without one, the invoice names ${invoice.customerName}`}
      />
      <TextField
        control={control}
        name="abn"
        label="ABN"
        optional
        hint="11 digits"
        inputMode="numeric"
        maxLength={30}
      />
      <AddressFields form={form as unknown as UseFormReturn<InvoiceDetailsValues>} />
      <TextAreaField control={control} name="reason" label="Reason" rows={3} hint="For the audit log" />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Re-issue invoice</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
