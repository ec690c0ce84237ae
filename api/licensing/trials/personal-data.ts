import { type PersonalData } from "#api/platform/database/personal-data.ts";

export const trialData: PersonalData = {
  kept: [
    {
      title: "Trial records",
      table: "trial_claims",
      where: "licence_id in (select id from licences where user_id = $1)",
      reason: "Hashes of the email address and devices. Needed to prevent a second free trial.",
    },
  ],
};
