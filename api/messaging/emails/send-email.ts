import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import type { EmailAttachment } from "./email.entity.ts";
import type { EmailRecipient, EmailTemplate } from "./template.tsx";
import { renderEmail } from "./layout.tsx";
import { hasSecret, sealContent } from "./sealed-content.ts";

/** An email template with its data, recipient and attachment. */
export interface OutgoingEmail<Data> extends EmailRecipient {
  readonly template: EmailTemplate<Data>;
  /** A single bare address, as validated by `schema`. */
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

/** The services that emails are written with. */
export type EmailContext = Pick<Context, "clock" | "config" | "encryptionKeys" | "jobs">;

/** A rendered email, as the columns of its row. */
export type ComposedEmail = Readonly<Record<string, unknown>>;

/**
 * Writes an email to the outbox and adds the job that delivers it, in the transaction of `em`. A rolled-back change
 * sends no email, and a committed change sends it even if the SMTP server is down at the time. Bodies with links or
 * codes are encrypted.
 * @returns true if the email was written; false if an email with the same `dedupeKey` exists.
 * @throws Error if a recipient isn't a single bare address.
 */
export async function sendEmail<Data>(
  context: EmailContext,
  em: EntityManager,
  email: OutgoingEmail<Data>,
): Promise<boolean> {
  return (await sendEmails(context, em, [await composeEmail(context, em, email)])) > 0;
}

/** The recipient of an email whose greeting has the first name. */
type Addressee = Readonly<Record<"email" | "firstName", string>>;

/** Sends an email to a user, whose first name is part of its data, like {@link sendEmail}. */
export function emailUser<Data extends { readonly firstName: string }>(
  context: EmailContext,
  em: EntityManager,
  { email: to, firstName }: Addressee,
  template: EmailTemplate<Data>,
  data: Omit<NoInfer<Data>, "firstName">,
): Promise<boolean> {
  return sendEmail<Data>(context, em, { template, to, data: { firstName, ...data } as NoInfer<Data> });
}

/** Sends an email to a user like {@link emailUser}, unless one with the same `dedupeKey` exists. */
export function emailUserOnce<Data extends { readonly firstName: string }>(
  context: EmailContext,
  em: EntityManager,
  { email: to, firstName }: Addressee,
  dedupeKey: string,
  template: EmailTemplate<Data>,
  data: Omit<NoInfer<Data>, "firstName">,
): Promise<boolean> {
  return sendEmail<Data>(context, em, { template, to, data: { firstName, ...data } as NoInfer<Data>, dedupeKey });
}

/**
 * Renders an email for {@link sendEmails}.
 * @throws Error if a recipient isn't a single bare address.
 */
export async function composeEmail<Data>(
  { clock, config, encryptionKeys }: EmailContext,
  em: EntityManager,
  email: OutgoingEmail<Data>,
): Promise<ComposedEmail> {
  const to = requireBareAddress(email.to);
  const replyTo = email.replyTo === undefined ? null : requireBareAddress(email.replyTo);
  const timeZone = email.timeZone ?? (await findTimeZone(em, to));
  const { subject, ...content } = renderEmail(config.publicUrl, { ...email, timeZone });
  const id = randomUUID();
  const isSecret = hasSecret(email.template, content);
  const { text, html } = isSecret ? sealContent(encryptionKeys, id, content) : content;
  return {
    id,
    to,
    reply_to: replyTo,
    subject,
    text,
    html,
    dedupe_key: email.dedupeKey ?? null,
    created_at: clock.now(),
    attachment: email.attachment ?? null,
    erase_when_delivered: email.eraseWhenDelivered ?? false,
    contains_secret: isSecret,
  };
}

async function findTimeZone(em: EntityManager, address: string): Promise<string | undefined> {
  const [user] = await query<{ zone: string | null }>(
    em,
    `select time_zone as zone from users where sign_in_email = $1`,
    [address.toLowerCase()],
  );
  return user?.zone ?? undefined;
}

/** Writes emails as {@link sendEmail} does, with two statements. Returns the number of emails that were written. */
export async function sendEmails(
  { jobs }: EmailContext,
  em: EntityManager,
  emails: readonly ComposedEmail[],
): Promise<number> {
  return inTransaction({ em }, async (tx) => {
    const written = await query<{ id: string }>(
      tx,
      `insert into mails (id, "to", reply_to, subject, text, html, dedupe_key, created_at, attachment,
                          erase_when_delivered, contains_secret)
       select id, "to", reply_to, subject, text, html, dedupe_key, created_at, attachment,
              erase_when_delivered, contains_secret
         from jsonb_populate_recordset(null::mails, $1)
       on conflict (dedupe_key) do nothing returning id`,
      [JSON.stringify(emails)],
    );
    await jobs.add(tx, "deliver-mail", ...written.map(({ id }) => ({ mailId: id })));
    return written.length;
  });
}

// Allows one recipient and no characters that could end a header line or start another address.
const bareAddress = /^[^\s,;:<>()[\]"\\\p{Cc}]+@[^\s,;:<>()[\]"\\@\p{Cc}]+$/u;

function requireBareAddress(address: string): string {
  if (address.length > 254 || !bareAddress.test(address)) throw new Error("An email needs a single bare address.");
  return address;
}
