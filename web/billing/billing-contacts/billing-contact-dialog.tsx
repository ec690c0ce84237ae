import { billingContactRules, type BillingContactValues } from "#schema/billing-details.ts";
import type { BillingContactFieldsFragment } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface BillingContactDialogProps extends DialogControl {
  contact: BillingContactFieldsFragment;
  onSave: (values: BillingContactValues) => Promise<void>;
}

/** Dialog for changing who gets a customer's invoices. */
export default function BillingContactDialog({ contact, onSave, ...dialog }: BillingContactDialogProps) {
  const { name, email, secondEmail, purchaseOrder } = contact;
  const form = useAppForm(billingContactRules, { defaultValues: { name, email, secondEmail, purchaseOrder } });
  const { control } = form;

  return (
    <FormDialog
      {...dialog}
      title="Billing contact"
      form={form}
      onSubmit={onSave}
      success="The billing contact has been updated."
      fallback="Unable to update the billing contact."
    >
      <TextField control={control} name="name" label="Name" optional maxLength={100} focusFirst />
      <TextField control={control} name="email" label="Email" optional inputMode="email" maxLength={254} />
      <TextField
        control={control}
        name="secondEmail"
        label="Second recipient"
        optional
        hint="Another email address"
        inputMode="email"
        maxLength={254}
      />
      <TextField
        control={control}
        name="purchaseOrder"
        label="Purchase order number"
        optional
        hint="On new invoices"
        maxLength={100}
      />
    </FormDialog>
  );
}
