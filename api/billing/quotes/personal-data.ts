import { keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const quoteData: PersonalData = {
  tables: {
    quotes: {
      kept: {
        "Part of the invoice that the customer accepted.": "user_id document accepted_by_name accepted_by_role",
        [keepReasons.staffLog]: "created_by_id",
      },
      impersonal:
        "id number invoice_id revision token_hash total_cents created_at valid_until accepted_at withdrawn_at",
    },
  },
  kept: [
    {
      title: "Quotes",
      table: "quotes",
      where: "user_id = $1",
      reason: "Accepted quotes are part of our accounts.",
    },
  ],
};
