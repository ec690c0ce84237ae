import { useApolloClient } from "@apollo/client/react";
import { DiscountType, discountTypes, labelOf } from "#schema/catalogue.ts";
import { formValuesOf, labelsOf } from "#schema/fields/field.ts";
import { promoCodeFields } from "#schema/fields/promo-code.ts";
import { type PromoCodeFieldsFragment, PromoCodeSinceDocument } from "#web/generated/graphql.ts";
import { useMergedEdits } from "#web/ui/form/use-merged-edits.ts";
import { expiryOf, typedDiscount } from "./discount-words.ts";

/** Form values as text. */
export interface TypedPromoCode {
  code: string;
  /** The value of the select, as text. */
  discountType: string;
  discountValue: string;
  expiryDate: string;
  isOneTimeUseOnly: boolean;
}

/** Treats the discount's type and value as one field when merging, because 15 % and A$15 aren't comparable. */
interface MergedPromoCode extends Omit<TypedPromoCode, "discountType" | "discountValue"> {
  discount: Pick<TypedPromoCode, "discountType" | "discountValue">;
}

/** Labels of the form fields. */
export const promoCodeLabels = labelsOf(promoCodeFields);

/** Returns the form values of a promo code. A new one starts as an empty percentage. */
export function typedPromoCode(promoCode: PromoCodeFieldsFragment | null): TypedPromoCode {
  const typed = promoCode
    ? {
        ...promoCode,
        discountValue: typedDiscount(promoCode),
        expiryDate: expiryOf(promoCode.expiresAt).typed,
      }
    : { discountType: DiscountType.Percentage };
  return formValuesOf(promoCodeFields, typed) as never;
}

const merge = ({ discountType, discountValue, ...values }: TypedPromoCode): MergedPromoCode => ({
  ...values,
  discount: { discountType: String(discountType), discountValue },
});

/** Merges the edited promo code with changes that another admin saved in the meantime. The base is null for a new code. */
export function useMergedPromoCode(
  promoCode: PromoCodeFieldsFragment | null,
  form: {
    read: () => TypedPromoCode;
    restart: (values: TypedPromoCode) => void;
    write: (values: Partial<TypedPromoCode>) => void;
  },
) {
  const client = useApolloClient();
  return useMergedEdits<PromoCodeFieldsFragment | null, MergedPromoCode>(promoCode, {
    valuesOf: (stored) => merge(typedPromoCode(stored)),
    read: () => merge(form.read()),
    restart: (stored) => form.restart(typedPromoCode(stored)),
    write: (values, name) => form.write(name === "discount" ? values.discount : { [name]: values[name] }),
    labels: { ...promoCodeLabels, discount: "Discount" },
    inWords: describeValue,
    audited: {
      discount: Object.keys(promoCodeFields.discountValue.stored),
      expiryDate: Object.keys(promoCodeFields.expiryDate.stored),
    },
    otherwise: "Another admin",
    latest: async (base) => {
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
  if (name === "expiryDate") return values.expiryDate ? expiryOf(values.expiryDate).shown : "Never";
  if (name === "code") return values.code;
  const { discountType, discountValue } = values.discount;
  const unit = Number(discountType) === DiscountType.Percentage ? " %" : "";
  return `${labelOf(discountTypes, Number(discountType))}, ${discountValue}${unit}`;
}
