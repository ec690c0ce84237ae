import { createTransport } from "nodemailer";
import { PassThrough } from "node:stream";
import { brand } from "#schema/brand.ts";
import type { AttachedFile, Email } from "./email.entity.ts";

/** The columns of an email that are sent. */
type OutboxEmail = Pick<Email, "id" | "to" | "replyTo" | "subject" | "text" | "html" | "createdAt">;

/** Time limit for one SMTP step, in milliseconds. */
const STEP_MS = 10_000;

/**
 * Time limit for a whole delivery, in milliseconds. It must be well under the job's lease, after which another worker
 * claims the job.
 */
const WHOLE_MS = 30_000;

/** Thrown when the SMTP server rejects the recipient permanently because the address doesn't exist there. */
export class RecipientRefused extends Error {
  override readonly name = "RecipientRefused";
}

/**
 * Sends one email through the SMTP server at `smtpUrl`.
 * @throws RecipientRefused if a retry would be useless; any other error if a retry may succeed.
 */
export async function sendThroughSmtp(
  smtpUrl: string,
  email: OutboxEmail,
  files: readonly AttachedFile[] = [],
): Promise<void> {
  const transport = openTransport(smtpUrl);
  try {
    await transport.sendMail({
      from: { name: brand.sender.name, address: brand.sender.email },
      to: { name: "", address: email.to },
      envelope: { from: brand.sender.email, to: [email.to] },
      ...(email.replyTo ? { replyTo: { name: "", address: email.replyTo } } : {}),
      subject: email.subject,
      text: email.text,
      html: email.html,
      attachments: [...files],
      date: email.createdAt,
      // The ID is the same at every attempt, so an SMTP server can recognise a duplicate.
      messageId: `<${email.id}@${brand.sender.email.split("@")[1]}>`,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      signal: AbortSignal.timeout(WHOLE_MS),
    });
  } catch (error) {
    throw isRefusedRecipient(error) ? new RecipientRefused((error as Error).message) : error;
  } finally {
    transport.close();
  }
}

/**
 * Checks that the SMTP server at `smtpUrl` accepts the connection, the sign-in and the sender. Disconnects before it sends
 * an email.
 * @throws Error if the server refuses one of them
 */
export async function verifySender(smtpUrl: string): Promise<void> {
  const transport = openTransport(smtpUrl);
  const accepted = new AbortController();
  transport.use("stream", ({ message }, done) => {
    // The content is read once the server has accepted the sender and the recipient.
    message.createReadStream = () => {
      const content = new PassThrough();
      content.pipe = (target) => {
        accepted.abort();
        return target;
      };
      return content;
    };
    done();
  });
  try {
    const { email } = brand.sender;
    const signal = AbortSignal.any([accepted.signal, AbortSignal.timeout(WHOLE_MS)]);
    await transport.sendMail({ envelope: { from: email, to: [email] }, text: "", signal });
  } catch (error) {
    // The sender may be an address without a mailbox.
    if (!accepted.signal.aborted && !isRefusedRecipient(error)) throw error;
  } finally {
    transport.close();
  }
}

function openTransport(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    socketCloseTimeout: 1_000,
    // Build the email only from its row. Its content must never cause a file to be read or a URL to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Returns whether an error is one of the usual SMTP replies for an unknown mailbox. A refusal to relay doesn't count,
 * because it is a configuration error on our side that can be fixed.
 */
function isRefusedRecipient(error: unknown): boolean {
  const { command, responseCode, response } = error as { command?: string; responseCode?: number; response?: string };
  return (
    command === "RCPT TO" &&
    [550, 551, 553].includes(responseCode ?? 0) &&
    !/\b5\.7\.|relay|authenticat/i.test(response ?? "")
  );
}
