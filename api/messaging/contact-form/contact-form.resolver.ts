import { Arg, Ctx, Field, InputType, Int, Mutation, Resolver } from "type-graphql";
import { type ContactFormValues, contactFormRules } from "#schema/rules/contact-form.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { sendContactMessage } from "./send-contact-message.ts";

@InputType({ description: "A message from the contact form." })
export class ContactMessageInput implements ContactFormValues {
  @Field(() => String, { description: "The sender's name." })
  name!: string;
  @Field(() => String, { description: "The email address for the reply." })
  email!: string;
  @Field(() => String, { description: "The sender's phone number." })
  phone!: string;
  @Field(() => String, { description: "The message text, at most 500 words." })
  message!: string;
  @Field(() => String, {
    nullable: true,
    description: "A hidden field that must stay empty. A value marks the message as spam.",
  })
  website!: ContactFormValues["website"];
  @Field(() => Int, { nullable: true, description: "Seconds between opening and submitting the form." })
  secondsTaken?: number;
}

@Resolver()
export class ContactFormResolver {
  @Allow("everyone", { scope: "session" })
  @Check({ input: contactFormRules })
  @Mutation(() => String, {
    description: "Sends a message to the vendor. Returns the confirmation text to show to the sender.",
  })
  async sendContactMessage(
    @Arg("input", () => ContactMessageInput) input: ContactMessageInput,
    @Ctx() context: Context,
  ): Promise<string> {
    return sendContactMessage(context, input);
  }
}
