import { User } from "#api/people/users/user.entity.ts";
import { escapeLike, query } from "#api/platform/database/database.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import {
  MAX_EXPORTED_ROWS,
  createDeletePart,
  type Batch,
  type BatchResult,
  type PersonalData,
  exportRows,
} from "#api/platform/database/personal-data.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";

/**
 * Deletes emails with links that were sent to an unconfirmed address. Other emails to that address are kept, because it
 * may belong to somebody else.
 */
async function deleteEmailedLinks({ em, subject }: Batch): Promise<BatchResult> {
  let rows = 0;
  for (const { address, at } of subject.links) {
    const gone = await query(
      em,
      `delete from mails where lower("to") = $1 and number <= $2::bigint and contains_secret
          and created_at between $3::timestamptz - interval '1 second' and $3::timestamptz + interval '10 seconds'
       returning id`,
      [address, subject.mailsUpTo, at],
    );
    rows += gone.length;
  }
  return { rows, isDone: true };
}

export const emailData: PersonalData = {
  erasure: [
    createDeletePart("emails", "Emails, with text, recipient and attachments", "mails", {
      where: `(lower("to") = any(:addresses) or lower(reply_to) = any(:addresses)) and number <= :mailsUpTo::bigint`,
      alsoKept:
        "The content of the email with the erasure certificate is deleted after delivery. All emails are removed after 90 days.",
    }),
    {
      name: "emailed-links",
      title: "Emails with links to addresses that were not confirmed",
      effect: "deleted",
      table: "mails",
      run: deleteEmailedLinks,
    },
  ],
  exported: {
    async mails({ em }, { id }) {
      const user = await em.findOneOrFail(User, id);
      // The address may have belonged to another account before this user registered.
      const emails = await em.find(
        Email,
        { to: { $ilike: escapeLike(user.email) }, createdAt: { $gte: user.registeredAt } },
        { orderBy: { number: "desc" }, fields: ["subject", "createdAt", "sentAt"], limit: MAX_EXPORTED_ROWS },
      );
      return emails.map(({ subject, createdAt, sentAt }) => ({ subject, writtenAt: createdAt, sentAt }));
    },
  },
};

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
