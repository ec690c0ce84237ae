import { keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const priceData: PersonalData = {
  tables: {
    price_moves: {
      kept: { [keepReasons.books]: "subscription_id" },
      impersonal: "id key plan_price from_cents aud_cents renews_at state created_at",
    },
  },
};
