import { Button } from "@mantine/core";
import { billingContactRules, type BillingContactValues } from "#schema/billing-details.ts";
import type { BillingContactFieldsFragment } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";

export interface BillingContactDialogProps {
  opened: boolean;
  contact: BillingContactFieldsFragment;
  onSave: (values: BillingContactValues) => Promise<void>;
  onClose: () => void;
}

/** Dialog for changing who gets a customer's invoices. */
export function BillingContactDialog({ opened, ...others }: BillingContactDialogProps) {
  return (
    <AppDialog opened={opened} title="Billing contact" onClose={others.onClose}>
      {opened && <BillingContactForm {...others} />}
    </AppDialog>
  );
}

function BillingContactForm({ contact, onSave, onClose }: Omit<BillingContactDialogProps, "opened">) {
  const { name, email, secondEmail, purchaseOrder } = contact;
  const form = useAppForm(billingContactRules, { defaultValues: { name, email, secondEmail, purchaseOrder } });
  const { control } = form;

  async function save(values: BillingContactValues) {
    await onSave(values);
    notify.success("The billing contact has been updated.");
    onClose();
  }

  return (
    <AppForm form={form} onSubmit={save} fallback="Unable to update the billing contact." label="Billing contact">
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
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
