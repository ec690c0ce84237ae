import { brand } from "#schema/brand.ts";
import { CONTACT_FORM_SECONDS } from "#schema/limits.ts";
import type { ContactFormValues } from "#schema/rules/contact-form.ts";
import type { Context } from "#api/platform/context.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { User } from "#api/people/users/user.entity.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { ContactMessage, type Suspicion } from "./contact-message.entity.ts";

/** What a sender reads, whatever became of the message. */
export const CONTACT_MESSAGE_SENT = "Your message has been successfully sent.";

/**
 * Takes a message of the contact form: keeps a copy and mails it to the mailbox for general questions, with the
 * sender as Reply-To. What a program seems to have sent is kept, answered alike and not mailed.
 * @returns the sentence for the sender
 * @throws AppError RATE_LIMITED after 5 messages an hour from one address.
 */
export async function sendContactMessage(context: Context, values: ContactFormValues): Promise<string> {
  await context.rateLimits.take("contactForm", limitedAddress(context.origin.ip));
  const { name, email, phone, message } = values;
  const mailbox = brand.mailboxes.sales.email;
  const suspicion = suspicionAbout(values);
  await context.em.transactional(async (tx) => {
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
    await sendMail(context, tx, {
      template: "contact-message",
      to: mailbox,
      replyTo: email,
      data: { name, email, phone, message },
    });
  });
  return CONTACT_MESSAGE_SENT;
}

function suspicionAbout({ website, secondsTaken }: ContactFormValues): Suspicion | null {
  if (website) return "honeypot";
  return secondsTaken !== undefined && secondsTaken < CONTACT_FORM_SECONDS ? "too-fast" : null;
}
