import { keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const journalData: PersonalData = {
  tables: {
    accounting_exports: {
      kept: { [keepReasons.staffLog]: "by_id" },
      impersonal: "id file start_date end_date at entries",
    },
  },
};
