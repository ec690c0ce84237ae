import { createTransport } from "nodemailer";
import { brand } from "#schema/brand.ts";
import type { AttachedFile, Mail } from "./mail.entity.ts";

/** Longest a mail server may take over any one step. */
const STEP_MS = 10_000;

/** Longest a whole delivery may take; well under the time after which its job would be given to another worker. */
const WHOLE_MS = 30_000;

/** The mail server will never take this mail: the address does not exist there. */
export class RecipientRefused extends Error {
  override readonly name = "RecipientRefused";
}

/**
 * Hands one mail to the mail server at `smtpUrl`.
 * @throws RecipientRefused when trying again is of no use; any other error when it may be.
 */
export async function handToMailServer(
  smtpUrl: string,
  mail: Mail,
  files: readonly AttachedFile[] = [],
): Promise<void> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    socketCloseTimeout: 1_000,
    // A mail is built from its row alone: nothing in it may make us read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: brand.sender.name, address: brand.sender.email },
      to: { name: "", address: mail.to },
      envelope: { from: brand.sender.email, to: [mail.to] },
      ...(mail.replyTo ? { replyTo: { name: "", address: mail.replyTo } } : {}),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      attachments: [...files],
      date: mail.createdAt,
      // The same at every attempt, so that a mail which arrives twice can be known for one.
      messageId: `<${mail.id}@${brand.sender.email.split("@")[1]}>`,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      signal: AbortSignal.timeout(WHOLE_MS),
    });
  } catch (error) {
    throw isRefusedRecipient(error) ? new RecipientRefused((error as Error).message) : error;
  } finally {
    transport.close();
  }
}

/** 'No such mailbox' in its usual forms; a server that refuses to relay for us is our fault and may be mended. */
function isRefusedRecipient(error: unknown): boolean {
  const { command, responseCode, response } = error as { command?: string; responseCode?: number; response?: string };
  return (
    command === "RCPT TO" &&
    [550, 551, 553].includes(responseCode ?? 0) &&
    !/\b5\.7\.|relay|authenticat/i.test(response ?? "")
  );
}
