import { keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const periodLockData: PersonalData = {
  tables: {
    period_locks: {
      kept: { [keepReasons.staffLog]: "changed_by_id reason" },
      impersonal: "id locked_through changed_at",
    },
  },
};
