import { Email } from "#api/messaging/emails/email.entity.ts";
import type { EntityManager } from "#api/platform/database.ts";

/** An email as `GET /dev/mail.json` returns it. */
export interface MailboxEntry {
  readonly id: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** When it was written, for a mail still on its way. */
  readonly sentAt: string;
  /** What it carries, to be fetched from this server; absent for most mails. */
  readonly attachments?: readonly { readonly filename: string; readonly url: string }[];
}

/** Mails to an address in any case, or all, in the order they were written, newest first. */
export async function listEmails(em: EntityManager, to: string | undefined, limit?: number): Promise<MailboxEntry[]> {
  const emails = await em.find(Email, to ? { to: { $ilike: to.replace(/[\\%_]/g, "\\$&") } } : {}, {
    orderBy: { number: "desc" },
    ...(limit ? { limit } : {}),
  });
  return emails.map((mail) => ({
    id: mail.id,
    to: mail.to,
    replyTo: mail.replyTo,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    sentAt: (mail.sentAt ?? mail.createdAt).toISOString(),
    ...(mail.attachment
      ? { attachments: [{ filename: mail.attachment.filename, url: `/dev/mail/${mail.id}/attachment` }] }
      : {}),
  }));
}
