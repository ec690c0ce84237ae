import { Email } from "#api/messaging/emails/email.entity.ts";
import { openContent } from "#api/messaging/emails/sealed-content.ts";
import type { Services } from "#api/platform/context.ts";
import { type EntityManager, escapeLike } from "#api/platform/database/database.ts";

/** An email as `GET /dev/mail.json` returns it. */
export interface MailboxEntry {
  readonly id: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Time the email was sent, or written if it hasn't been sent yet. */
  readonly sentAt: string;
  /** Attachments, with their paths on this server; undefined for emails without attachments. */
  readonly attachments?: readonly { readonly filename: string; readonly url: string }[];
}

/** Shown for an email whose content was encrypted with a key that has been removed. */
const UNREADABLE = "This email was encrypted with a key that has been removed.";

/** Returns an email with readable bodies. */
export function openEmail(keys: Services["encryptionKeys"], email: Email): Email {
  return Object.assign(email, openContent(keys, email) ?? { text: UNREADABLE, html: UNREADABLE });
}

/** Returns all emails, or only those to an address (ignoring case), most recently written first. */
export async function listEmails(
  em: EntityManager,
  keys: Services["encryptionKeys"],
  to: string | undefined,
  limit?: number,
): Promise<MailboxEntry[]> {
  const emails = await em.find(Email, to ? { to: { $ilike: escapeLike(to) } } : {}, {
    orderBy: { number: "desc" },
    ...(limit ? { limit } : {}),
  });
  return emails.map((email) => toMailboxEntry(openEmail(keys, email)));
}

function toMailboxEntry(email: Email): MailboxEntry {
  return {
    id: email.id,
    to: email.to,
    replyTo: email.replyTo,
    subject: email.subject,
    text: email.text,
    html: email.html,
    sentAt: (email.sentAt ?? email.createdAt).toISOString(),
    ...(email.attachment
      ? { attachments: [{ filename: email.attachment.filename, url: `/dev/mail/${email.id}/attachment` }] }
      : {}),
  };
}
