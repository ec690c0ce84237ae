import { ContactMessage } from "./contact-message.entity.ts";
import { createDeletePart, exportRows, type PersonalData } from "#api/platform/database/personal-data.ts";

export const contactMessageData: PersonalData = {
  erasure: [
    createDeletePart("contact-messages", "Messages sent through the contact form", "contact_messages", {
      where: "user_id = :user or lower(email) = any(:addresses) and received_at <= :requestedAt",
    }),
  ],
  exported: {
    // Only messages sent while signed in are exported. A visitor can enter any address, so the author of other messages
    // is unknown.
    contactMessages: exportRows(ContactMessage, { orderBy: { receivedAt: "desc" } }, [
      "receivedAt",
      "name",
      "email",
      "phone",
      "message",
      "mailbox",
    ]),
  },
};
