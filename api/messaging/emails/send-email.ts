import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import type { EmailAttachment } from "./email.entity.ts";
import type { EmailTemplate } from "./email-template.ts";
import { renderEmail } from "./render-email.tsx";
import { hasSecret, sealContent } from "./sealed-content.ts";

/** An email template with its data, recipient and attachment. */
export interface OutgoingEmail<Data> {
  readonly template: EmailTemplate<Data>;
  /** A single bare address, as validated by `schema/rules`. */
  readonly to: string;
  readonly data: NoInfer<Data>;
  readonly replyTo?: string;
  /** Reference to the attached file. */
  readonly attachment?: EmailAttachment;
  /** Key that identifies the notification, at most 255 characters. A second email with the same key isn't written. */
  readonly dedupeKey?: string;
  /** Removes the content and recipient from the outbox once the SMTP server has accepted the email. */
  readonly eraseWhenDelivered?: boolean;
}

/**
 * Writes an email to the outbox and adds the job that delivers it, in the transaction of `em`. A rolled-back change
 * sends no email, and a committed change sends it even if the SMTP server is down at the time. Bodies with links or
 * codes are encrypted.
 * @returns true if the email was written; false if an email with the same `dedupeKey` exists.
 * @throws Error if a recipient isn't a single bare address.
 */
export async function sendEmail<Data>(
  context: Pick<Context, "clock" | "config" | "encryptionKeys" | "jobs">,
  em: EntityManager,
  email: OutgoingEmail<Data>,
): Promise<boolean> {
  const to = requireBareAddress(email.to);
  const replyTo = email.replyTo === undefined ? null : requireBareAddress(email.replyTo);
  const { subject, ...content } = await renderEmail(context.config.publicUrl, email);
  const id = randomUUID();
  const isSecret = hasSecret(email.template, content);
  const { text, html } = isSecret ? sealContent(context.encryptionKeys, id, content) : content;
  const write = async (tx: EntityManager): Promise<boolean> => {
    const written = await query(
      tx,
      `insert into mails (id, "to", reply_to, subject, text, html, dedupe_key, created_at, attachment,
                          erase_when_delivered, contains_secret)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (dedupe_key) do nothing returning id`,
      [
        id,
        to,
        replyTo,
        subject,
        text,
        html,
        email.dedupeKey ?? null,
        context.clock.now(),
        email.attachment ?? null,
        email.eraseWhenDelivered ?? false,
        isSecret,
      ],
    );
    if (written.length === 0) return false;
    await context.jobs.add(tx, "deliver-mail", { mailId: id });
    return true;
  };
  return inTransaction({ em }, write);
}

// Allows one recipient and no characters that could end a header line or start another address.
const bareAddress = /^[^\s,;:<>()[\]"\\\p{Cc}]+@[^\s,;:<>()[\]"\\@\p{Cc}]+$/u;

function requireBareAddress(address: string): string {
  if (address.length > 254 || !bareAddress.test(address)) throw new Error("An email needs a single bare address.");
  return address;
}
