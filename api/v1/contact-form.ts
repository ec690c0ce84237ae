import { contactFormRules } from "#schema/contact-form.ts";
import { CONTACT_MESSAGE_SENT, sendContactMessage } from "#api/messaging/contact-form/send-contact-message.ts";
import { describedText } from "#api/platform/http/json-types.ts";
import { defineRoute } from "./define-route.ts";

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
