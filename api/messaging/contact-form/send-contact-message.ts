import { brand } from "#schema/brand.ts";
import { CONTACT_FORM_SECONDS } from "#schema/limits.ts";
import type { ContactFormValues } from "#schema/contact-form.ts";
import type { Context } from "#api/platform/context.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { contactMessage } from "#api/messaging/emails/templates/contact-message.tsx";
import { ContactMessage, type Suspicion } from "./contact-message.entity.ts";

/** The confirmation shown to every sender, even if the message was treated as spam. */
export const CONTACT_MESSAGE_SENT = "Your message has been successfully sent.";

/**
 * Stores a message from the contact form and emails it to the mailbox for general enquiries, with the sender as
 * Reply-To. A message that a bot probably submitted gets the same response but isn't emailed.
 * @returns the confirmation to show to the sender
 * @throws AppError RATE_LIMITED after 5 messages an hour from one IP address.
 */
export async function sendContactMessage(context: Context, values: ContactFormValues): Promise<string> {
  await context.rateLimits.take("contactForm", toRateLimitAddress(context.origin.ip));
  const { name, email, phone, message } = values;
  const mailbox = brand.mailboxes.sales.email;
  const suspicion = detectSpam(values);
  await inTransaction(context, async (tx) => {
    tx.create(ContactMessage, {
      user: context.actor ? tx.getReference(User, context.actor.userId) : null,
      name,
      email,
      phone,
      message,
      mailbox,
      suspicion,
      receivedAt: context.clock.now(),
    });
    await tx.flush();
    if (suspicion) return;
    await sendEmail(context, tx, {
      template: contactMessage,
      to: mailbox,
      replyTo: email,
      data: { name, email, phone, message },
    });
  });
  return CONTACT_MESSAGE_SENT;
}

function detectSpam({ website, secondsTaken }: ContactFormValues): Suspicion | null {
  if (website) return "honeypot";
  return secondsTaken !== undefined && secondsTaken < CONTACT_FORM_SECONDS ? "too-fast" : null;
}
