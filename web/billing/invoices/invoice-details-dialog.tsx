import { Text } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import { invoiceDetailsRules, type InvoiceDetailsValues } from "#schema/billing-details.ts";
import { formatFullAddress } from "#schema/address-forms.ts";
import { type InvoiceDetailsFieldsFragment, useUpdateInvoiceDetailsMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface InvoiceDetailsDialogProps extends DialogControl {
  details: InvoiceDetailsFieldsFragment;
}

/** Dialog for changing the company name, ABN and address on future invoices. */
export default function InvoiceDetailsDialog({ details, ...dialog }: InvoiceDetailsDialogProps) {
  const [update] = useUpdateInvoiceDetailsMutation();
  const defaultValues: InvoiceDetailsValues = invoiceDetailsRules.cast(details, {
    stripUnknown: true,
    assert: false,
  });
  const form = useAppForm(invoiceDetailsRules, { defaultValues });
  const { control } = form;

  return (
    <FormDialog
      {...dialog}
      title="Billing details"
      size="lg"
      form={form}
      onSubmit={(values) => update({ variables: { input: { ...values, fullAddress: formatFullAddress(values) } } })}
      success="Your invoice details have been updated."
      fallback="Unable to update your invoice details."
      label="Invoice details"
    >
      <Text size="sm" c="dimmed">
        Changes to your company and address also update your profile.
      </Text>
      <TextField
        control={control}
        name="companyName"
        label="Organisation / Company Name"
        optional
        autoComplete="organization"
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
      <AddressFields form={form as UseFormReturn<InvoiceDetailsValues>} />
    </FormDialog>
  );
}
