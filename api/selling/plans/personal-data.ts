import { type PersonalData } from "#api/platform/personal-data.ts";

export const planData: PersonalData = {
  tables: {
    plan_prices: { impersonal: "id plan_slug interval aud_cents usd_cents" },
    plans: { impersonal: "slug name product_level retiring sellable" },
  },
};
