import { Ctx, Mutation, Resolver } from "type-graphql";
import { contactFormRules, type ContactFormValues } from "#schema/contact-form.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { sendContactMessage, CONTACT_MESSAGE_SENT } from "./send-contact-message.ts";
import { describedText } from "#api/platform/http/json-types.ts";
import { defineRoute } from "#api/platform/http/define-route.ts";

const ContactMessageInput = createInput("ContactMessageInput", contactFormRules, {
  description: "A message from the contact form.",
  fields: {
    name: "The sender's name.",
    email: "The email address for the reply.",
    phone: "The sender's phone number.",
    message: "The message text, at most 500 words.",
    website: {
      nullable: true,
      description: "A hidden field that must stay empty. A value marks the message as spam.",
    },
    secondsTaken: "Seconds between opening and submitting the form.",
  },
});

export const ContactMessageReceipt = createType(
  "ContactMessageReceipt",
  VisibleTo("everyone"),
  "The receipt for a message from the contact form.",
  {
    message: field.text("Confirmation to show to the sender."),
  },
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

export const contactFormRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/contact-us/send",
    operation: "Mutation.sendContactMessage",
    tag: "Contact",
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
