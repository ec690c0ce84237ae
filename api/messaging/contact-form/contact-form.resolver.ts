import { Arg, Ctx, Field, InputType, Int, Mutation, Resolver } from "type-graphql";
import { type ContactFormValues, contactFormRules } from "#schema/rules/contact-form.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { sendContactMessage } from "./send-contact-message.ts";

@InputType({ description: "A message of the contact form." })
export class ContactMessageInput implements ContactFormValues {
  @Field(() => String)
  name!: string;
  @Field(() => String, { description: "Where the answer goes." })
  email!: string;
  @Field(() => String)
  phone!: string;
  @Field(() => String, { description: "At most 500 words." })
  message!: string;
  @Field(() => String, { nullable: true, description: "Left empty by people, who do not see it." })
  website!: ContactFormValues["website"];
  @Field(() => Int, { nullable: true, description: "How long the form was open, seconds." })
  secondsTaken?: number;
}

@Resolver()
export class ContactFormResolver {
  @Allow("everyone")
  @Check({ input: contactFormRules })
  @Mutation(() => String, { description: "Sends a message to the vendor; answers the sentence for the sender." })
  async sendContactMessage(
    @Arg("input", () => ContactMessageInput) input: ContactMessageInput,
    @Ctx() context: Context,
  ): Promise<string> {
    return sendContactMessage(context, input);
  }
}
