import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { addDays, getCalendarDay, vendorTimeName } from "#schema/days.ts";
import { formatAud, parseCents } from "#schema/money.ts";
import { planPriceFormRules, type PlanPriceFormValues } from "#schema/plan.ts";
import { type ManagedPriceFragment, useSetPlanPriceMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import type { DialogControl } from "#web/ui/dialogs.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";

export interface NewPriceDialogProps extends DialogControl {
  price: ManagedPriceFragment;
  /** Name of the price, such as `Professional, yearly`. */
  name: string;
  onSaved: () => void;
}

/** Dialog that sets a new price from a date. */
export function NewPriceDialog({ opened, ...others }: NewPriceDialogProps) {
  return (
    <AppDialog opened={opened} title={`New price for ${others.name}`} size="lg" onClose={others.onClose}>
      {opened && <NewPriceForm {...others} />}
    </AppDialog>
  );
}

const parseTyped = (text: string) => parseCents(text.replace(/^us/i, "")) ?? 0;

/** GST on a price for customers in Australia, in basis points. */
const GST = 1_000;

function NewPriceForm({ price, onClose, onSaved }: Omit<NewPriceDialogProps, "opened">) {
  const [setPlanPrice] = useSetPlanPriceMutation();
  // A retry of this dialog is the same request.
  const [key] = useState(() => crypto.randomUUID());
  const [today] = useState(() => getCalendarDay(new Date()));
  const form = useAppForm(planPriceFormRules, { defaultValues: { aud: "", usd: "", from: "", reason: "" } });
  const { control } = form;
  const aud = parseTyped(useWatch({ control, name: "aud" }) ?? "");

  async function save({ aud: typedAud, usd, from, reason }: PlanPriceFormValues) {
    const amounts = { audCents: parseTyped(typedAud), usdCents: parseTyped(usd) };
    await setPlanPrice({ variables: { input: { priceId: price.id, ...amounts, from: from || null, reason, key } } });
    notify.success("The new price has been saved.");
    onClose();
    onSaved();
  }

  return (
    <AppForm form={form} fallback="Unable to save the price." onSubmit={save}>
      <Text>
        New subscriptions pay the new price. {price.customerCount === 1 ? "The" : `The ${price.customerCount}`} existing{" "}
        {price.customerCount === 1 ? "subscriber keeps" : "subscribers keep"} their price until you move them.
      </Text>
      <FieldColumns>
        <TextField
          control={control}
          name="aud"
          label="Price in AUD, without GST"
          hint={
            aud >= 100
              ? `${formatAud(aud + Math.round((aud * GST) / 10_000))} including GST in Australia`
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
        min={addDays(today, 0)}
      />
      <TextField
        control={control}
        name="reason"
        label="Reason"
        hint="Recorded in the audit log."
        autoComplete="off"
        maxLength={500}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Set new price</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
