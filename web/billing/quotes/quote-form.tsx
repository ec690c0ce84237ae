import { formatAud } from "#schema/money.ts";
import type { QuoteAcceptanceValues } from "#schema/manual-invoice.ts";
import type { QuoteQuery } from "#web/generated/graphql.ts";
import { CheckboxField, TextField } from "#web/ui/form/native-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";

const loadRules = () => import("#schema/manual-invoice.ts").then((file) => file.quoteFormRules);

export interface QuoteFormProps {
  quote: QuoteQuery["quote"];
  onAccept: (acceptance: QuoteAcceptanceValues) => Promise<void>;
}

/** Form that accepts a quote with a name, a role and a confirmation. */
export function QuoteForm({ quote, onAccept }: QuoteFormProps) {
  const form = useAppForm(loadRules, {
    defaultValues: { name: quote.customer.contact ?? "", role: "", purchaseOrder: quote.purchaseOrder ?? "" },
  });
  const { control } = form;
  return (
    <AppForm
      form={form}
      onSubmit={({ name, role, purchaseOrder }) => onAccept({ name, role, purchaseOrder })}
      fallback="Unable to accept the quote."
      label="Accept quote"
    >
      <p>
        If you accept this quote, we issue an invoice over {formatAud(quote.totalCents)} and email it to you. You pay it
        by bank transfer or by card.
      </p>
      <TextField control={control} name="name" label="Your name" autoComplete="name" maxLength={100} />
      <TextField
        control={control}
        name="role"
        label="Your role"
        hint="Such as Finance Manager"
        autoComplete="organization-title"
        maxLength={100}
      />
      <TextField
        control={control}
        name="purchaseOrder"
        label="Purchase order number"
        optional
        hint="On your invoice"
        maxLength={100}
      />
      <CheckboxField
        control={control}
        name="mayAccept"
        label={`I confirm that I may accept this quote for ${quote.buyer}`}
      />
      <FormActions>
        <SubmitButton>Accept quote</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
