import { Ctx, Mutation, Resolver } from "type-graphql";
import { contactFormRules, type ContactFormValues } from "#schema/contact-form.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { describedText, routesOf } from "#api/platform/http/define-route.ts";
import { brand } from "#schema/brand.ts";
import { CONTACT_FORM_SECONDS } from "#schema/limits.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { contactMessage } from "#api/messaging/emails/templates/contact-message.tsx";
import { ContactMessage, type Suspicion } from "./contact-message.entity.ts";

/** The confirmation shown to every sender, even if the message was treated as spam. */
const CONTACT_MESSAGE_SENT = "Your message has been successfully sent.";

/**
 * Stores a message from the contact form and emails it to the mailbox for general enquiries, with the sender as
 * Reply-To. A message that a bot probably submitted gets the same response but isn't emailed.
 * @returns the confirmation to show to the sender
 * @throws AppError RATE_LIMITED after 5 messages an hour from one IP address.
 */
async function sendContactMessage(context: Context, values: ContactFormValues): Promise<string> {
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

const ContactMessageInput = createInput("ContactMessageInput", contactFormRules, {
  description: "A message from the contact form.",
  fields: {
    name: "The sender's name.",
    email: "The email address for the reply.",
    phone: "The sender's phone number.",
    message: "The message text, at most 500 words.",
    website: { nullable: true, description: "A hidden field that must stay empty. A value marks the message as spam." },
    secondsTaken: "Seconds between opening and submitting the form.",
  },
});

export const ContactMessageReceipt = createType(
  "ContactMessageReceipt",
  "everyone",
  "The receipt for a message from the contact form.",
  { message: field.text("Confirmation to show to the sender.") },
);
export type ContactMessageReceipt = InstanceType<typeof ContactMessageReceipt>;

@Resolver()
export class ContactFormResolver {
  @Allow("everyone", { scope: "session" })
  @Mutation(() => ContactMessageReceipt, { description: "Sends a message to the vendor." })
  async sendContactMessage(
    @CheckedArg("input", ContactMessageInput) input: ContactFormValues,
    @Ctx() context: Context,
  ): Promise<ContactMessageReceipt> {
    return { message: await sendContactMessage(context, input) };
  }
}

const defineRoute = routesOf("Contact");

export const contactFormRoutes = [
  defineRoute("POST /v1/contact-us/send", {
    operation: "Mutation.sendContactMessage",
    summary: "Send a message to the vendor. Returns a confirmation for the sender",
    body: contactFormRules,
    bodyExample: {
      name: "Ada Byron",
      email: "ada@example.com",
      phone: "+61 400 000 000",
      message: "Which versions of P6 do you read?",
    },
    response: describedText("Confirmation to show to the sender"),
    example: CONTACT_MESSAGE_SENT,
    handler: async ({ context, body }) => sendContactMessage(context, body),
  }),
];
