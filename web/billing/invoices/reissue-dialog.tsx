import { Text } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import { invoiceDetailsRules, type InvoiceDetailsValues } from "#schema/billing-details.ts";
import { reasonRules } from "#schema/manual-invoice.ts";
import {
  type InvoiceDetailsFieldsFragment,
  useReissuedCustomerQuery,
  useReissueInvoiceMutation,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { AppDialog } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField } from "#web/ui/form/fields.tsx";
import { FormDialogActions, useDialogSubmit } from "#web/ui/form/form-dialog.tsx";
import { BuyerFields } from "./buyer-fields.tsx";
import type { InvoiceDialogProps } from "./void-dialog.tsx";

const rules = invoiceDetailsRules.concat(reasonRules);
type Values = InvoiceDetailsValues & { reason: string };

/** Dialog for re-issuing an invoice to another company, ABN or address. Suggests the details of the account. */
export default function ReissueDialog({ invoice, onDone, ...dialog }: InvoiceDialogProps) {
  const query = useReissuedCustomerQuery({ variables: { userId: invoice.userId ?? "" }, fetchPolicy: "network-only" });
  return (
    <AppDialog {...dialog} title={`Re-issue invoice ${invoice.number}`} size="lg">
      <Loaded query={query} failure="Unable to load the customer." loading="Loading the customer">
        {({ user }) => <ReissueForm invoice={invoice} customer={user} onClose={dialog.onClose} onDone={onDone} />}
      </Loaded>
    </AppDialog>
  );
}

function ReissueForm(props: Omit<InvoiceDialogProps, "opened"> & { customer: InvoiceDetailsFieldsFragment }) {
  const { invoice, customer, onClose, onDone } = props;
  const [reissueInvoice] = useReissueInvoiceMutation();
  const details = invoiceDetailsRules.cast(customer, { stripUnknown: true, assert: false });
  const form = useAppForm(rules, { defaultValues: { ...details, reason: "" } });
  const { control } = form;

  const send = useDialogSubmit(async ({ reason, ...buyer }: Values) => {
    const { data } = await reissueInvoice({ variables: { taxInvoiceId: invoice.taxInvoiceId ?? "", buyer, reason } });
    notify.success(
      `Invoice ${invoice.number} was re-issued as ${data?.reissueInvoice.number}. Both documents were emailed.`,
    );
    onClose();
    onDone();
  });

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to re-issue the invoice." label="Re-issue invoice">
      <Text>
        An adjustment note cancels invoice {invoice.number}, and a new invoice with these details replaces it. Payments,
        dates and service periods stay. The account keeps its details.
      </Text>
      <BuyerFields
        form={form as unknown as UseFormReturn<InvoiceDetailsValues>}
        companyHint={`Without one, the invoice names ${invoice.customerName}`}
      />
      <TextAreaField control={control} name="reason" label="Reason" rows={3} hint="For the audit log" />
      <FormDialogActions submit="Re-issue invoice" onCancel={onClose} />
    </AppForm>
  );
}
