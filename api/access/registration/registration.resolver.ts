import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { changeEmailRules, type RegisterValues, registerRules } from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { SignInResult, signInResultOf } from "#api/access/sessions/sign-in-result.type.ts";
import { confirmEmail } from "./confirm-email.ts";
import {
  changeUnconfirmedEmail,
  checkConfirmation,
  type EmailConfirmationState,
  resendConfirmation,
} from "./email-confirmation.ts";
import { PersonInput } from "#api/people/users/person.input.ts";
import { registerAccount } from "./register-account.ts";

@InputType({ description: "A registration, as the form sends it." })
export class RegisterInput extends PersonInput implements RegisterValues {
  @Field(() => String)
  email!: string;
  @Field(() => String)
  password!: string;
  @Field(() => String)
  confirmPassword!: string;
  @Field(() => Boolean, { nullable: true, description: "Wants to test pre-release versions." })
  isTester!: RegisterValues["isTester"];
  @Field(() => Boolean, { nullable: true })
  isServiceProvider!: RegisterValues["isServiceProvider"];
  @Field(() => Boolean, { nullable: true, description: "The person came from the trial: 3 days to confirm, not 7." })
  trialIntent?: boolean;
}

@InputType()
export class ChangeUnconfirmedEmailInput {
  @Field(() => String)
  email!: string;
}

@ObjectType({ description: "Where to go after a registration." })
export class RegisterResult {
  @Field(() => ID, { description: "Handle of the confirmation page; not the account's id." })
  confirmationHandle!: string;
}

@ObjectType({ description: "What the public confirmation page shows." })
export class EmailConfirmation implements EmailConfirmationState {
  @Field(() => String, { nullable: true, description: "Where the link was sent; null once confirmed." })
  email!: string | null;

  @Field(() => Boolean)
  isConfirmed!: boolean;

  @Field(() => Boolean, { description: "True when an account wants this address instead of its present one." })
  isChange!: boolean;
}

@Resolver()
export class RegistrationResolver {
  @Allow("everyone")
  @Query(() => EmailConfirmation)
  async emailConfirmation(
    @Arg("handle", () => ID) handle: string,
    @Ctx() context: Context,
  ): Promise<EmailConfirmation> {
    return checkConfirmation(context, handle);
  }

  @Allow("everyone")
  @Check({ input: registerRules })
  @Mutation(() => RegisterResult, { description: "Registers an account and mails the confirmation link." })
  async register(
    @Arg("input", () => RegisterInput) input: RegisterInput,
    @Ctx() context: Context,
  ): Promise<RegisterResult> {
    return registerAccount(context, input);
  }

  @Allow("everyone")
  @Mutation(() => SignInResult, { description: "Confirms an address by its mail's secret and signs in." })
  async confirmEmail(
    @Arg("confirmationToken", () => String) confirmationToken: string,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    return signInResultOf(await confirmEmail(context, confirmationToken));
  }

  @Allow("everyone")
  @Mutation(() => Boolean, { description: "Mails a new confirmation link; the older one dies." })
  async resendConfirmationEmail(@Arg("handle", () => ID) handle: string, @Ctx() context: Context): Promise<boolean> {
    await resendConfirmation(context, handle);
    return true;
  }

  @Allow("everyone")
  @Check({ input: changeEmailRules })
  @Mutation(() => Boolean, { description: "Gives an unconfirmed registration another address." })
  async changeUnconfirmedEmail(
    @Arg("handle", () => ID) handle: string,
    @Arg("input", () => ChangeUnconfirmedEmailInput) input: ChangeUnconfirmedEmailInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await changeUnconfirmedEmail(context, handle, input.email);
    return true;
  }
}
