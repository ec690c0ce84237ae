import type { UseFormReturn } from "react-hook-form";
import type { InvoiceDetailsValues } from "#schema/billing-details.ts";
import { AddressFields } from "#web/people/addresses/address-fields.tsx";
import { TextField } from "#web/ui/form/fields.tsx";

interface BuyerFieldsProps {
  form: UseFormReturn<InvoiceDetailsValues>;
  /** What the invoice says without a company. Given to staff, whose browser must not suggest their own company. */
  companyHint?: string;
}

/** Fields of the buyer on an invoice: company, ABN and address. */
export function BuyerFields({ form, companyHint }: BuyerFieldsProps) {
  const { control } = form;
  return (
    <>
      <TextField
        control={control}
        name="companyName"
        label="Organisation / Company Name"
        optional
        hint={companyHint}
        autoComplete={companyHint ? undefined : "organization"}
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
      <AddressFields form={form} />
    </>
  );
}
