import { DAY } from "#api/platform/clock.ts";
import { createDeletePart, type PersonalData } from "#api/platform/database/personal-data.ts";

export const registrationData: PersonalData = {
  tables: {
    email_tokens: { deleted: "email-links" },
    registration_browsers: { deleted: "registration-browsers" },
    email_changes: { deleted: "email-changes", alsoKept: "Deleted after 7 days." },
  },
  retention: [{ table: "email_tokens", endedAt: "coalesce(spent_at, expires_at)", keptMs: 30 * DAY }],
  erasure: [
    createDeletePart("email-links", "Email links", "email_tokens", { atClosing: true }),
    createDeletePart("registration-browsers", "Browser of a registration", "registration_browsers", {
      atClosing: true,
    }),
    createDeletePart("email-changes", "Replaced email addresses", "email_changes", { atClosing: true }),
  ],
};
