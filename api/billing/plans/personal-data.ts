import { type PersonalData } from "#api/platform/database/personal-data.ts";

export const planData: PersonalData = {
  tables: {
    plan_prices: { impersonal: "id plan_slug interval aud_cents usd_cents" },
    plan_price_versions: { impersonal: "id plan_price_id aud_cents usd_cents starts_at reason key created_at" },
    plans: { impersonal: "slug name product_level retiring sellable" },
  },
};
