import type { Context } from "#api/platform/context.ts";
import { type AttachedFile, type AttachmentWriters, emptyMail, Mail } from "./mail.entity.ts";
import { handToMailServer, RecipientRefused } from "./mail-transport.ts";

/**
 * Delivers one mail of the outbox with what it carries; the job `deliver-mail` calls it, as often as it takes. A mail
 * that is gone or refused for good is left alone. Without SMTP_URL the dev mailbox is where mail goes.
 * @throws Error when the mail server did not take the mail and may later, or its attachment could not be written.
 */
export async function deliverMail(
  context: Context,
  { mailId }: { mailId: string },
  writers: AttachmentWriters,
): Promise<void> {
  const { clock, config, em, log } = context;
  const mail = await em.findOne(Mail, { id: mailId, sentAt: null, refusedAt: null });
  if (!mail) return;
  mail.attempts++;
  try {
    if (config.smtpUrl) await handToMailServer(config.smtpUrl, mail, await filesOf(context, mail, writers));
    mail.sentAt = clock.now();
    mail.lastError = null;
    // Without a mail server the outbox is the mailbox, where the recipient reads it.
    if (config.smtpUrl && mail.eraseWhenDelivered) eraseContent(mail);
  } catch (error) {
    mail.lastError = (error as Error).message;
    // What a mail server says often names the address, and this error is logged.
    if (!(error instanceof RecipientRefused)) throw new Error(mail.lastError.replace(/\S+@\S+/g, "(address)"));
    mail.refusedAt = clock.now();
    if (mail.eraseWhenDelivered) eraseContent(mail);
    log.warn({ mailId }, "the mail server refused the recipient for good");
  } finally {
    await em.flush();
  }
}

function eraseContent(mail: Mail): void {
  Object.assign(mail, { ...emptyMail, lastError: null } satisfies Partial<Mail>);
}

async function filesOf(context: Context, { attachment }: Mail, writers: AttachmentWriters): Promise<AttachedFile[]> {
  return attachment ? [await writers[attachment.kind](context, attachment)] : [];
}
