import { Text } from "@mantine/core";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { getCalendarDay, vendorTimeName } from "#schema/days.ts";
import { addAustralianGst, formatAud, parseCents } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import { parseUsd, planPriceFormRules, type PlanPriceFormValues } from "#schema/plan.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import { type ManagedPriceFragment, useSetPlanPriceMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";

interface NewPriceDialogProps extends DialogControl {
  price: ManagedPriceFragment;
  /** Name of the price, such as `Professional, yearly`. */
  name: string;
  /** Reads the page again. */
  reload: () => void;
}

/** Dialog that sets a new price from a date. */
export default function NewPriceDialog({ price, name, reload, ...dialog }: NewPriceDialogProps) {
  const [setPlanPrice] = useSetPlanPriceMutation();
  // A retry of this dialog is the same request.
  const [key] = useState(createRequestKey);
  const [today] = useState(() => getCalendarDay(new Date()));
  const form = useAppForm(planPriceFormRules, { defaultValues: { aud: "", usd: "", from: "", reason: "" } });
  const { control } = form;
  const aud = parseCents(useWatch({ control, name: "aud" }) ?? "") ?? 0;

  async function save({ aud: typedAud, usd, from, reason }: PlanPriceFormValues) {
    const amounts = { audCents: parseCents(typedAud) ?? 0, usdCents: parseUsd(usd) ?? 0 };
    await setPlanPrice({ variables: { input: { priceId: price.id, ...amounts, from: from || null, reason, key } } });
  }

  return (
    <FormDialog
      {...dialog}
      title={`New price for ${name}`}
      size="lg"
      form={form}
      fallback="Unable to save the price."
      onSubmit={save}
      success="The new price has been saved."
      onDone={reload}
      submit="Set new price"
    >
      <Text>
        New subscriptions pay the new price. Existing subscribers ({formatNumber(price.customerCount)}) keep theirs
        until you move them.
      </Text>
      <FieldColumns>
        <TextField
          control={control}
          name="aud"
          label="Price in AUD, without GST"
          hint={
            aud >= 100
              ? `${formatAud(addAustralianGst(aud))} including GST in Australia`
              : `Now ${formatAud(price.audCents)}`
          }
          autoComplete="off"
          maxLength={20}
          focusFirst
        />
        <TextField
          control={control}
          name="usd"
          label="Price in USD"
          hint="Shown on public pages"
          autoComplete="off"
          maxLength={20}
        />
      </FieldColumns>
      <DateField
        control={control}
        name="from"
        label="From"
        optional
        hint={`First day, ${vendorTimeName}. Immediately if empty.`}
        min={today}
      />
      <TextField
        control={control}
        name="reason"
        label="Reason"
        hint="Recorded in the audit log."
        autoComplete="off"
        maxLength={500}
      />
    </FormDialog>
  );
}
