import type { PersonalData } from "#api/platform/database/personal-data.ts";

export const quoteData: PersonalData = {
  kept: [
    {
      title: "Quotes",
      table: "quotes",
      where: "user_id = $1",
      reason: "Accepted quotes are part of our accounts.",
    },
  ],
};
