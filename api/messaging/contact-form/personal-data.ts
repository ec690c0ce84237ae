import { ContactMessage } from "./contact-message.entity.ts";
import { MAX_EXPORTED_ROWS, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const contactMessageData: PersonalData = {
  tables: {
    contact_messages: { deleted: "contact-messages" },
  },
  erasure: [
    {
      name: "contact-messages",
      title: "Messages sent through the contact form",
      effect: "deleted",
      table: "contact_messages",
      run: createBatchStatement(
        `delete from contact_messages where id in (
           select id from contact_messages
            where user_id = :user or lower(email) = any(:addresses) and received_at <= :requestedAt limit :limit)`,
      ),
    },
  ],
  exported: {
    // Only messages sent while signed in are exported. A visitor can enter any address, so the author of other messages
    // is unknown.
    async contactMessages({ em }, user) {
      const messages = await em.find(
        ContactMessage,
        { user: user.id },
        { orderBy: { receivedAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return messages.map(({ receivedAt, name, email, phone, message, mailbox }) => ({
        receivedAt,
        name,
        email,
        phone,
        message,
        mailbox,
      }));
    },
  },
};
