import { validatePromoCodeRules } from "#schema/rules/promo-code.ts";
import { validatePromoCode } from "#api/features/promo-codes/apply-promo-code.ts";
import { defineRoute } from "./frame.ts";

/** Promo codes as customers use them (spec §7, DOMAIN §6; decision 0018). */
export const promoCodeRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/promoCode/validate",
    allow: "regular",
    tag: "Promo codes",
    summary: "What a price costs the caller with a promo code; AUD cents",
    body: validatePromoCodeRules,
    answer: { totalAfterDiscount: 14_846, discount: 1_500, gst: 1_350, itemAmount: 16_495 },
    handler: async ({ context, body }) => {
      const { totalCents, discountCents, gstCents, amountCents, fullTotalCents } = await validatePromoCode(
        context,
        body,
      );
      return {
        totalAfterDiscount: totalCents,
        discount: discountCents,
        gst: gstCents,
        // Echoed only where it is one of ours.
        itemAmount: body.itemAmount === amountCents ? amountCents : fullTotalCents,
      };
    },
  }),
];
