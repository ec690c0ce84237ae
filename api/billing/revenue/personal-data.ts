import type { PersonalData } from "#api/platform/database/personal-data.ts";

export const revenueData: PersonalData = {
  tables: {
    service_periods: {
      impersonal:
        "id document_id subscription_id licence_id booked_on first_day days last_day ended_on from_cents to_cents",
    },
  },
};
