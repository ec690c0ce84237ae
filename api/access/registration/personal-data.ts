import { deleted, type PersonalData } from "#api/platform/personal-data.ts";

export const registrationData: PersonalData = {
  tables: {
    email_tokens: { deleted: "email-links" },
  },
  erasure: [deleted("email-links", "Email links", "email_tokens", { atClosing: true })],
};
