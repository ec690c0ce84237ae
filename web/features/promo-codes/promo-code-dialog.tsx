import { useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import { DiscountType, discountTypes } from "#schema/catalogue.ts";
import { promoCodeRules, type PromoCodeValues } from "#schema/rules/promo-code.ts";
import {
  type PromoCodeFieldsFragment,
  useAddPromoCodeMutation,
  useUpdatePromoCodeMutation,
} from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { UnitField } from "#web/ui/form/unit-field.tsx";
import { notify } from "#web/ui/notifications.ts";
import { expiryOf, tidyAmount, typedDiscount } from "./discount-words.ts";

interface PromoCodeDialogProps {
  /** Null while the dialog is closed; a null promo code is one to be added. */
  edited: { promoCode: PromoCodeFieldsFragment | null } | null;
  onClose: () => void;
  onSaved: () => void;
}

/** Adds a promo code, or updates one that has an id; it begins anew each time it opens (spec, admin §2). */
export function PromoCodeDialog({ edited, ...others }: PromoCodeDialogProps) {
  const title = edited?.promoCode ? "Update Promo Code" : "Add A Promo Code";
  return (
    <AppDialog opened={edited !== null} title={title} size="lg" onClose={others.onClose}>
      {edited && <PromoCodeForm promoCode={edited.promoCode} {...others} />}
    </AppDialog>
  );
}

const options = discountTypes.map(({ value, label }) => ({ value: String(value), label }));

const blank = {
  code: "",
  discountType: DiscountType.Percentage,
  discountValue: "",
  expiryDate: "",
  isOneTimeUseOnly: false,
};

function startOf(promoCode: PromoCodeFieldsFragment | null): typeof blank {
  if (!promoCode) return blank;
  const { code, discountType, expiresAt, isOneTimeUseOnly } = promoCode;
  const discountValue = typedDiscount(promoCode);
  const start = { code, discountType, discountValue, expiryDate: expiryOf(expiresAt).typed, isOneTimeUseOnly };
  return start as typeof blank;
}

function PromoCodeForm(props: Omit<PromoCodeDialogProps, "edited"> & { promoCode: PromoCodeFieldsFragment | null }) {
  const { promoCode, onClose, onSaved } = props;
  const [add] = useAddPromoCodeMutation();
  const [update] = useUpdatePromoCodeMutation();
  const start = startOf(promoCode);
  // The rule makes a date of the text that the field holds.
  const form = useAppForm(promoCodeRules, { defaultValues: start as never });
  const { control, setValue, clearErrors } = form;
  const discountType = Number(useWatch({ control, name: "discountType" }));
  const isPercentage = discountType === DiscountType.Percentage;

  const shownType = useRef(discountType);
  useEffect(() => {
    if (shownType.current === discountType) return;
    shownType.current = discountType;
    setValue("discountValue", discountType === start.discountType ? start.discountValue : "", { shouldDirty: true });
    clearErrors("discountValue");
  }, [discountType, start.discountType, start.discountValue, setValue, clearErrors]);

  async function save({ expiryDate, ...values }: PromoCodeValues) {
    const input = { ...values, expiryDate: expiryDate?.toISOString() ?? null };
    if (promoCode) await update({ variables: { id: promoCode.id, input } });
    else await add({ variables: { input } });
    notify.success(
      promoCode ? "You have successfully updated the promo code." : "You have successfully added the promo code.",
    );
    onClose();
    onSaved();
  }

  return (
    <AppForm
      form={form}
      onSubmit={save}
      fallback={promoCode ? "Unable to update the promo code." : "Unable to add the promo code."}
    >
      <TextField
        control={control}
        name="code"
        label="Promo Code"
        hint="Customers may type it in upper or lower case."
        autoComplete="off"
        maxLength={50}
        focusFirst
      />
      <FieldColumns>
        <SelectField control={control} name="discountType" label="Discount Type" options={options} />
        {isPercentage ? (
          <UnitField key="percent" control={control} name="discountValue" label="Discount Value" unit="%" />
        ) : (
          <UnitField
            key="dollars"
            control={control}
            name="discountValue"
            label="Discount Value"
            unit="AUD"
            tidy={tidyAmount}
          />
        )}
      </FieldColumns>
      <DateField control={control} name="expiryDate" label="Expiry Date" optional hint="Last day, UTC" />
      <CheckboxField
        control={control}
        name="isOneTimeUseOnly"
        label="One Time Use Only"
        hint="One customer can use it, once."
      />
      {promoCode && promoCode.timesUsed > 0 && (
        <p>
          Used {promoCode.timesUsed === 1 ? "once" : `${promoCode.timesUsed} times`} so far. Changes count from now on.
        </p>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Save</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
