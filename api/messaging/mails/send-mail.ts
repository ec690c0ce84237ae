import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import type { MailAttachment } from "./mail.entity.ts";
import { type MailTemplateName, type MailTemplates, renderMail } from "#api/messaging/mails/templates/index.tsx";

/** A mail by its template and what the template needs. */
export type OutgoingMail = {
  [Name in MailTemplateName]: {
    readonly template: Name;
    /** One bare address, as checked by `schema/rules`. */
    readonly to: string;
    readonly data: MailTemplates[Name];
    readonly replyTo?: string;
    /** What goes with it, by reference. */
    readonly attachment?: MailAttachment;
    /** What the mail announces, at most 255 characters; a second mail with it is not written. */
    readonly dedupeKey?: string;
    /** Removes text and recipient from the outbox once the mail server has the email. */
    readonly eraseWhenDelivered?: boolean;
  };
}[MailTemplateName];

/**
 * Writes a mail into the outbox and adds the job that delivers it, both in the transaction of `em`: a
 * change that is rolled back mails nobody, and one that is committed mails even if the mail server is
 * away.
 * @returns whether it was written; false when `dedupeKey` was there already.
 * @throws Error for an address that is not one bare address.
 */
export async function sendMail(
  context: Pick<Context, "clock" | "config" | "jobs">,
  em: EntityManager,
  mail: OutgoingMail,
): Promise<boolean> {
  const to = bareAddress(mail.to);
  const replyTo = mail.replyTo === undefined ? null : bareAddress(mail.replyTo);
  const { subject, html, text } = await renderMail(context.config.publicUrl, mail);
  const id = randomUUID();
  const write = async (tx: EntityManager): Promise<boolean> => {
    const written = await query(
      tx,
      `insert into mails (id, "to", reply_to, subject, text, html, dedupe_key, created_at, attachment,
                          erase_when_delivered)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (dedupe_key) do nothing returning id`,
      [
        id,
        to,
        replyTo,
        subject,
        text,
        html,
        mail.dedupeKey ?? null,
        context.clock.now(),
        mail.attachment ?? null,
        mail.eraseWhenDelivered ?? false,
      ],
    );
    if (written.length === 0) return false;
    await context.jobs.add(tx, "deliver-mail", { mailId: id });
    return true;
  };
  return inTransaction({ em }, write);
}

// One recipient and nothing that could end a header line or begin another address.
const bare = /^[^\s,;:<>()[\]"\\\p{Cc}]+@[^\s,;:<>()[\]"\\@\p{Cc}]+$/u;

function bareAddress(address: string): string {
  if (address.length > 254 || !bare.test(address)) throw new Error("A mail needs one bare address.");
  return address;
}
