import { PromoRedemption } from "./promo-redemption.entity.ts";
import { MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";

export const promoCodeData: PersonalData = {
  kept: [
    {
      title: "Promo codes used",
      table: "promo_redemptions",
      where: "user_id = $1",
      reason: "Discounts are part of our accounts, and a one-time code must not work twice. Only ids are kept.",
    },
  ],
  exported: {
    async promoCodes({ em }, user) {
      const redemptions = await em.find(
        PromoRedemption,
        { user: user.id },
        { orderBy: { createdAt: "desc" }, populate: ["promoCode"], limit: MAX_EXPORTED_ROWS },
      );
      return redemptions.map(({ promoCode, state, createdAt }) => ({ code: promoCode.code, state, usedAt: createdAt }));
    },
  },
};
