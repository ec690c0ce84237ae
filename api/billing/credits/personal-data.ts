import { MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";
import { CreditEntry } from "./credit-entry.entity.ts";

export const creditData: PersonalData = {
  kept: [
    {
      title: "Credit",
      table: "credit_entries",
      where: "user_id = $1",
      reason: "It is part of our accounts.",
    },
  ],
  exported: {
    async credit({ em }, user) {
      const entries = await em.find(
        CreditEntry,
        { user: user.id },
        { orderBy: { createdAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return entries.map(({ kind, amountCents, reason, createdAt }) => ({ kind, amountCents, reason, createdAt }));
    },
  },
};
