import { type PersonalData } from "#api/platform/database/personal-data.ts";

export const activityData: PersonalData = {
  tables: {
    activity_progress: { impersonal: "id counted_until settled_until time_zone" },
    daily_activity: { impersonal: "day kind result_code count" },
  },
};
