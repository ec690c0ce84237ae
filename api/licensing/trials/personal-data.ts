import { type PersonalData } from "#api/platform/database/personal-data.ts";

export const trialData: PersonalData = {
  tables: {
    trial_claims: {
      kept: {
        "Hashed email address and device, which prevent a second trial.": "value components",
      },
      impersonal: "id kind licence_id claimed_at",
    },
  },
  kept: [
    {
      title: "Trial records",
      table: "trial_claims",
      where: "licence_id in (select id from licences where user_id = $1)",
      reason: "Hashes of the email address and devices. Needed to prevent a second free trial.",
    },
  ],
};
