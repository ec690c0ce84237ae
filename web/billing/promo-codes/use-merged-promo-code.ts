import { useApolloClient } from "@apollo/client/react";
import { formatTableDate } from "#schema/dates.ts";
import { formatPlanPrices } from "#schema/plan-catalogue.ts";
import { DiscountType, discountTypes, promoCodeFields } from "#schema/promo-code.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getFormValues, getLabels } from "#schema/field.ts";
import { type PromoCodeFieldsFragment, PromoCodeSinceDocument } from "#web/generated/graphql.ts";
import { useMergedEdits } from "#web/ui/concurrent-edits/use-merged-edits.ts";
import { toDiscountInput, toLimitInput } from "./format-discount.ts";

/** Form values as text. */
export interface PromoCodeFormValues {
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
export function toPromoCodeFormValues(promoCode: PromoCodeFieldsFragment | null): PromoCodeFormValues {
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
export function useMergedPromoCode(
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
  if (name === "startDate") return values.startDate ? formatTableDate(values.startDate, "UTC") : "At once";
  if (name === "planPriceIds") return formatPlanPrices(values.planPriceIds) || "All plans";
  if (name === "maximumRedemptions") return values.maximumRedemptions || "No maximum";
  if (name === "code") return values.code;
  const { discountType, discountValue } = values.discount;
  const unit = Number(discountType) === DiscountType.Percentage ? "%" : "";
  return `${findLabel(discountTypes, Number(discountType))}, ${discountValue}${unit}`;
}
