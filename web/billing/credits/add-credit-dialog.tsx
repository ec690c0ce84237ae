import { Text } from "@mantine/core";
import { useState } from "react";
import { formatAud, parseCents } from "#schema/money.ts";
import { creditFormRules } from "#schema/manual-invoice-form.ts";
import { useAddCreditMutation } from "#web/generated/graphql.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import { UnitField } from "#web/billing/promo-codes/unit-field.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextAreaField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";

interface AddCreditDialogProps extends DialogControl {
  userId: string;
  onDone: () => void;
}

/** Dialog for adding credit to a customer. */
export default function AddCreditDialog({ userId, onDone, ...dialog }: AddCreditDialogProps) {
  const [key] = useState(createRequestKey);
  const [addCredit] = useAddCreditMutation();
  const form = useAppForm(creditFormRules, { defaultValues: { amount: "", reason: "", isPaid: false } });
  const { control } = form;
  const cents = parseCents(form.watch("amount")) ?? 0;

  return (
    <FormDialog
      {...dialog}
      title="Add Credit"
      form={form}
      onSubmit={({ amount, reason, isPaid }) =>
        addCredit({
          variables: { userId, key, input: { amountCents: parseCents(amount) ?? 0, reason, isPaid } },
        }).catch((error: unknown) => {
          // It may have been added without an answer, so the list is read again.
          onDone();
          throw error;
        })
      }
      success={(_values, { data }) => `${formatAud(data?.addCredit.amountCents ?? 0)} of credit has been added.`}
      onDone={onDone}
      fallback="Unable to add the credit."
      label="Credit"
      submit="Add Credit"
    >
      <UnitField control={control} name="amount" label="Amount" unit="AUD" />
      <TextAreaField control={control} name="reason" label="Reason" rows={3} hint="The customer sees it" />
      <CheckboxField control={control} name="isPaid" label="The customer paid this amount" />
      <Text size="sm">
        {cents > 0 ? formatAud(cents) : "The amount"}{" "}
        {form.watch("isPaid")
          ? "pays a part of the next invoices that you write for the customer."
          : "reduces the price of the next invoices that you write for the customer, GST included."}{" "}
        It doesn’t change card payments for a subscription. The customer sees it on the Invoices page. Credit can’t be
        taken back.
      </Text>
    </FormDialog>
  );
}
