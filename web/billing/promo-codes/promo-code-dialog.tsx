import { useEffect, useRef } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { vendorTimeName } from "#schema/days.ts";
import { formatNumber } from "#schema/numbers.ts";
import { formatPlanPrices, planPriceOptions } from "#schema/plan-catalogue.ts";
import {
  DiscountType,
  discountTypes,
  promoCodeFields,
  promoCodeRules,
  type PromoCodeValues,
} from "#schema/promo-code.ts";
import {
  type PromoCodeFieldsFragment,
  PromoCodeSinceDocument,
  useAddPromoCodeMutation,
  useUpdatePromoCodeMutation,
} from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { CheckboxesField, CheckboxField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { bindFields } from "#web/ui/form/use-field.tsx";
import { FormDialog, STAYS_OPEN } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { ContestedFieldChoices, MergedFields, sendMerged } from "#web/ui/concurrent-edits/merged-form.tsx";
import { UnitField } from "./unit-field.tsx";
import { toDiscountInput, toLimit, toLimitInput } from "./format-discount.ts";
import { getFormValues, getLabels, toInput } from "#schema/field.ts";
import { useApolloClient } from "@apollo/client/react";
import { formatTableDate } from "#schema/dates.ts";
import { findLabel } from "#schema/closed-list.ts";
import { useMergedEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";

interface PromoCodeDialogProps extends DialogControl {
  /** Null adds a new code. */
  promoCode: PromoCodeFieldsFragment | null;
  onSaved: () => void;
}

/** Dialog for adding or updating a promo code. The form resets each time it opens. */
export default function PromoCodeDialog({ promoCode, onSaved, ...dialog }: PromoCodeDialogProps) {
  const [add] = useAddPromoCodeMutation();
  const [update] = useUpdatePromoCodeMutation();
  // The rules convert the fields' text to a number and a date.
  const form = useAppForm(promoCodeRules, { defaultValues: toPromoCodeFormValues(promoCode) as never });
  const { control, setValue, clearErrors } = form;
  const field = bindFields(promoCodeFields, control);
  const discountType = Number(useWatch({ control, name: "discountType" }));
  const isPercentage = discountType === DiscountType.Percentage;

  const shownType = useRef(discountType);
  const typed = form as unknown as UseFormReturn<PromoCodeFormValues>;
  const merged = useMergedPromoCode(promoCode, {
    read: () => typed.getValues(),
    restart: (values) => {
      shownType.current = Number(values.discountType);
      typed.reset(values);
    },
    write: (values) => {
      if (values.discountType !== undefined) shownType.current = Number(values.discountType);
      for (const [name, value] of Object.entries(values))
        typed.setValue(name as keyof PromoCodeFormValues, value, { shouldDirty: true });
    },
  });
  const start = toPromoCodeFormValues(merged.base);
  useEffect(() => {
    if (shownType.current === discountType) return;
    shownType.current = discountType;
    const isOriginalType = discountType === Number(start.discountType);
    setValue("discountValue", isOriginalType ? start.discountValue : "", { shouldDirty: true });
    clearErrors("discountValue");
  }, [discountType, start.discountType, start.discountValue, setValue, clearErrors]);

  async function save({ startDate, expiryDate, ...values }: PromoCodeValues) {
    const { base } = merged;
    const input = {
      ...toInput(promoCodeFields, values),
      startDate: toLimit(startDate, base?.startsAt),
      expiryDate: toLimit(expiryDate, base?.expiresAt),
    };
    const saved = await sendMerged(merged, async () => {
      if (base) await update({ variables: { id: base.id, input, revision: base.revision } });
      else await add({ variables: { input } });
    });
    return saved ? null : STAYS_OPEN;
  }

  return (
    <FormDialog
      {...dialog}
      title={promoCode ? "Update promo code" : "Add a promo code"}
      size="lg"
      form={form}
      onSubmit={save}
      success={
        promoCode ? "You have successfully updated the promo code." : "You have successfully added the promo code."
      }
      onDone={onSaved}
      fallback={promoCode ? "Unable to update the promo code." : "Unable to add the promo code."}
    >
      <MergedFields merged={merged} noun="promo code">
        <TextField
          {...field("code")}
          hint="Customers may type it in upper or lower case."
          autoComplete="off"
          maxLength={50}
          focusFirst
        />
        <ContestedFieldChoices names={["code"]} />
        <FieldColumns>
          <SelectField {...field("discountType")} options={discountTypes} />
          <UnitField {...field("discountValue")} unit={isPercentage ? "%" : "AUD"} />
        </FieldColumns>
        <ContestedFieldChoices names={["discount"]} />
        <FieldColumns>
          <DateField {...field("startDate")} optional hint={`First day, ${vendorTimeName}`} />
          <DateField {...field("expiryDate")} optional hint={`Last day, ${vendorTimeName}`} />
        </FieldColumns>
        <ContestedFieldChoices names={["startDate", "expiryDate"]} />
        <CheckboxesField
          {...field("planPriceIds")}
          options={planPriceOptions}
          hint="Choose none if the code is for all plans."
        />
        <ContestedFieldChoices names={["planPriceIds"]} />
        <TextField
          {...field("maximumRedemptions")}
          optional
          hint="Across all customers"
          inputMode="numeric"
          maxLength={7}
          autoComplete="off"
        />
        <ContestedFieldChoices names={["maximumRedemptions"]} />
        <CheckboxField {...field("isOneTimeUseOnly")} hint="Only one customer can use it, once." />
        <ContestedFieldChoices names={["isOneTimeUseOnly"]} />
      </MergedFields>
      {promoCode && promoCode.timesUsed > 0 && (
        <p>
          Used {promoCode.timesUsed === 1 ? "once" : `${formatNumber(promoCode.timesUsed)} times`} so far. Changes apply
          to future uses.
        </p>
      )}
    </FormDialog>
  );
}

/** Form values as text. */
interface PromoCodeFormValues {
  code: string;
  /** The value of the select, as text. */
  discountType: string;
  discountValue: string;
  startDate: string;
  expiryDate: string;
  planPriceIds: string[];
  maximumRedemptions: string;
  isOneTimeUseOnly: boolean;
}

/** Treats the discount's type and value as one field when merging, because 15% and A$15 aren't comparable. */
interface MergedPromoCode extends Omit<PromoCodeFormValues, "discountType" | "discountValue"> {
  discount: Pick<PromoCodeFormValues, "discountType" | "discountValue">;
}

const promoCodeLabels = getLabels(promoCodeFields);

/** Returns the form values of a promo code. A new one starts as an empty percentage. */
function toPromoCodeFormValues(promoCode: PromoCodeFieldsFragment | null): PromoCodeFormValues {
  if (!promoCode)
    return { ...getFormValues(promoCodeFields, null), discountType: String(DiscountType.Percentage) } as never;
  return getFormValues(promoCodeFields, {
    ...promoCode,
    discountValue: toDiscountInput(promoCode),
    startDate: toLimitInput(promoCode.startsAt),
    expiryDate: toLimitInput(promoCode.expiresAt),
    planPriceIds: promoCode.planPrices.map(({ id }) => id),
  }) as never;
}

const merge = ({ discountType, discountValue, ...values }: PromoCodeFormValues): MergedPromoCode => ({
  ...values,
  discount: { discountType: String(discountType), discountValue },
});

/** Merges the edited promo code with changes that another admin saved in the meantime. The base is null for a new code. */
function useMergedPromoCode(
  promoCode: PromoCodeFieldsFragment | null,
  form: {
    read: () => PromoCodeFormValues;
    restart: (values: PromoCodeFormValues) => void;
    write: (values: Partial<PromoCodeFormValues>) => void;
  },
) {
  const client = useApolloClient();
  return useMergedEdits<PromoCodeFieldsFragment | null, MergedPromoCode>(promoCode, {
    toValues: (stored) => merge(toPromoCodeFormValues(stored)),
    read: () => merge(form.read()),
    restart: (stored) => form.restart(toPromoCodeFormValues(stored)),
    write: (values, name) => form.write(name === "discount" ? values.discount : { [name]: values[name] }),
    labels: { ...promoCodeLabels, discount: "Discount" },
    formatValue: describeValue,
    auditFieldNames: {
      discount: Object.keys(promoCodeFields.discountValue.stored),
      startDate: Object.keys(promoCodeFields.startDate.stored),
      expiryDate: Object.keys(promoCodeFields.expiryDate.stored),
    },
    fallbackName: "Another admin",
    loadLatest: async (base) => {
      const { data } = await client.query({
        query: PromoCodeSinceDocument,
        variables: { id: base?.id ?? "", revision: base?.revision ?? 0 },
        fetchPolicy: "network-only",
      });
      const stored = data?.promoCodes.find(({ id }) => id === base?.id);
      if (!data || !stored) throw new Error("The server did not return the promo code.");
      return { stored, changes: data.promoCodeChanges };
    },
  });
}

function describeValue(values: MergedPromoCode, name: keyof MergedPromoCode): string {
  if (name === "isOneTimeUseOnly") return values.isOneTimeUseOnly ? "Yes" : "No";
  if (name === "expiryDate") return values.expiryDate ? formatTableDate(values.expiryDate, "UTC") : "Never";
  if (name === "startDate") return values.startDate ? formatTableDate(values.startDate, "UTC") : "Immediately";
  if (name === "planPriceIds") return formatPlanPrices(values.planPriceIds) || "All plans";
  if (name === "maximumRedemptions") return values.maximumRedemptions || "No maximum";
  if (name === "code") return values.code;
  const { discountType, discountValue } = values.discount;
  const unit = Number(discountType) === DiscountType.Percentage ? "%" : "";
  return `${findLabel(discountTypes, Number(discountType))}, ${discountValue}${unit}`;
}
