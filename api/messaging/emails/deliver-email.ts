import type { Context } from "#api/platform/context.ts";
import { traced } from "#api/platform/observe/tracing.ts";
import { type AttachedFile, type AttachmentWriters, emptyEmail, Email } from "./email.entity.ts";
import { openContent, removeSecretContent } from "./sealed-content.ts";
import { sendThroughSmtp, RecipientRefused } from "./smtp-transport.ts";
import { DAY, SECOND } from "#api/platform/clock.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { DEAD_LETTER_DAYS, deadLetters } from "#api/platform/jobs/job-queues.ts";

/** Name of the setting of a restored database, whose earlier emails are withheld until `restore --confirm`. */
export const POST_RESTORE = "post-restore";

/**
 * SQL condition of the rows of `mails` that a job tries to send. An email that failed every attempt is a dead letter, which is
 * kept for {@link DEAD_LETTER_DAYS}, and sends nothing until an operator retries it.
 */
export const isWaitingSql = `sent_at is null and refused_at is null
  and created_at > greatest(now() - interval '${DEAD_LETTER_DAYS} days',
                            (select (value->>'restoredAt')::timestamptz from settings where name = '${POST_RESTORE}'))
  and not exists (select from pgboss.job j where j.name = '${deadLetters}' and j.data->>'mailId' = mails.id::text)`;

/** Domains that don't exist anywhere (RFC 2606). */
const reservedDomain = /[@.](?:example|test|invalid|localhost)$/i;

/**
 * Delivers one email from the outbox with its attachment. The job `deliver-mail` retries it until it succeeds. Emails
 * that were deleted, sent or permanently refused are skipped. An email whose attached document was deleted is deleted.
 * Without SMTP_URL, emails stay in the dev mailbox, and outside production so do those to reserved domains, such as the
 * addresses of demo data.
 * @throws Error if the SMTP server didn't accept the email but may accept it later, or if the attachment couldn't be
 * created.
 */
export async function deliverEmail(
  context: Context,
  { mailId }: { mailId: string },
  writers: AttachmentWriters,
): Promise<void> {
  const { clock, config, encryptionKeys, log } = context;
  // Its only write is one statement.
  const em = context.em.fork({ disableTransactions: true });
  const email = await em.findOne(Email, { id: mailId, sentAt: null, refusedAt: null });
  if (!email) return;
  email.attempts++;
  const smtpUrl = !config.production && reservedDomain.test(email.to) ? null : config.smtpUrl;
  try {
    if (smtpUrl) {
      const content = openContent(encryptionKeys, email);
      if (!content) throw new Error("The content of the email can't be decrypted, because its key was removed.");
      const { to, replyTo, subject, createdAt } = email;
      const readable = { id: mailId, to, replyTo, subject, createdAt, ...content };
      const files = await createFiles(context, email, writers);
      if (!files) return void em.remove(email);
      await traced("SMTP send", { "server.address": new URL(smtpUrl).hostname }, () =>
        sendThroughSmtp(smtpUrl, readable, files),
      );
    }
    email.sentAt = clock.now();
    email.lastError = null;
    // The outbox is the dev mailbox, so the content of what wasn't sent must be kept.
    if (smtpUrl) removeContent(email);
  } catch (error) {
    email.lastError = (error as Error).message;
    // SMTP errors often contain the recipient's address, and this error is logged.
    if (!(error instanceof RecipientRefused))
      throw new Error(email.lastError.replace(/\S+/g, (word) => (word.includes("@") ? "(address)" : word)));
    email.refusedAt = clock.now();
    removeContent(email);
    log.warn({ mailId }, "email recipient refused by the SMTP server");
  } finally {
    await em.flush();
  }
}

function removeContent(email: Email): void {
  if (email.eraseWhenDelivered) Object.assign(email, { ...emptyEmail, lastError: null } satisfies Partial<Email>);
  else removeSecretContent(email);
}

/** Returns the attached files; null if the document was deleted. */
async function createFiles(
  context: Context,
  { attachment }: Email,
  writers: AttachmentWriters,
): Promise<AttachedFile[] | null> {
  if (!attachment) return [];
  const file = await writers[attachment.kind](context, attachment);
  return file && [file];
}

/** Days an email is kept in the outbox. */
const KEPT_DAYS = 90;

/** Days the last email to an erased user is kept if the SMTP server never accepts it. */
const KEPT_DAYS_FOR_ERASED_USERS = 7;

const BATCH_SIZE = 1_000;

/**
 * Deletes emails older than 90 days, in batches. Emails with a dedupe key keep an empty row, so that the notification
 * isn't sent again.
 */
export const purgeEmails = defineDestructiveSweep({
  name: "purge-mails",
  everySeconds: DAY / SECOND,
  async run({ pool }, now) {
    const { rows } = await pool.query<{ count: number }>(
      `with old as materialized (
         (select id, dedupe_key is not null as is_announcement from mails
           where "to" <> '' and created_at < $1::timestamptz - interval '${KEPT_DAYS} days'
           order by created_at limit ${BATCH_SIZE})
         union
         (select id, false from mails
           where erase_when_delivered and created_at < $1::timestamptz - interval '${KEPT_DAYS_FOR_ERASED_USERS} days'
           limit ${BATCH_SIZE})),
       emptied as (
         update mails m set "to" = '', reply_to = null, subject = '', text = '', html = '', attachment = null, last_error = null
           from old where m.id = old.id and old.is_announcement),
       gone as (delete from mails m using old where m.id = old.id and not old.is_announcement)
       select count(*)::int as count from old`,
      [now],
    );
    return rows[0]?.count ?? 0;
  },
});
