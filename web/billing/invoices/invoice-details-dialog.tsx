import { Text } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import { invoiceDetailsRules, type InvoiceDetailsValues } from "#schema/billing-details.ts";
import { formatFullAddress } from "#schema/address-forms.ts";
import { type InvoiceDetailsFieldsFragment, useUpdateInvoiceDetailsMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { BuyerFields } from "./buyer-fields.tsx";

interface InvoiceDetailsDialogProps extends DialogControl {
  details: InvoiceDetailsFieldsFragment;
}

/** Dialog for changing the company name, ABN and address on future invoices. */
export default function InvoiceDetailsDialog({ details, ...dialog }: InvoiceDetailsDialogProps) {
  const [update] = useUpdateInvoiceDetailsMutation();
  const defaultValues: InvoiceDetailsValues = invoiceDetailsRules.cast(details, { stripUnknown: true, assert: false });
  const form = useAppForm(invoiceDetailsRules, { defaultValues });

  return (
    <FormDialog
      {...dialog}
      title="Billing details"
      size="lg"
      form={form}
      onSubmit={(values) => update({ variables: { input: { ...values, fullAddress: formatFullAddress(values) } } })}
      success="Your billing details have been updated."
      fallback="Unable to update your billing details."
    >
      <Text size="sm" c="dimmed">
        Changes to your company and address also update your profile.
      </Text>
      <BuyerFields form={form as UseFormReturn<InvoiceDetailsValues>} />
    </FormDialog>
  );
}
