import { Arg, Ctx, Field, InputType, Mutation, Query, Resolver } from "type-graphql";
import {
  type ChangePasswordValues,
  changePasswordRules,
  forgotPasswordRules,
  type ResetPasswordValues,
  resetPasswordRules,
  resetTokenRules,
} from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { SignInResult, toSignInResult } from "#api/access/sessions/sign-in-result.type.ts";
import { changePassword } from "./change-password.ts";
import { requestPasswordReset } from "./request-password-reset.ts";
import { isResetTokenValid, resetPassword } from "./reset-password.ts";

@InputType()
export class RequestPasswordResetInput {
  @Field(() => String)
  email!: string;
}

@InputType()
export class ResetTokenInput {
  @Field(() => String, { description: "The token from the emailed link." })
  resetToken!: string;
}

@InputType()
export class ResetPasswordInput extends ResetTokenInput implements ResetPasswordValues {
  @Field(() => String)
  password!: string;
  @Field(() => String)
  confirmPassword!: string;
}

@InputType()
export class ChangePasswordInput implements ChangePasswordValues {
  @Field(() => String)
  existingPassword!: string;
  @Field(() => String)
  password!: string;
  @Field(() => String)
  confirmPassword!: string;
}

@Resolver()
export class PasswordResolver {
  @Allow("everyone", { scope: "session" })
  @Check({ input: resetTokenRules })
  @Query(() => Boolean, { description: "Returns whether a reset link is still valid." })
  async isResetTokenValid(
    @Arg("input", () => ResetTokenInput) input: ResetTokenInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return isResetTokenValid(context, input.resetToken);
  }

  @Allow("everyone", { scope: "session" })
  @Check({ input: forgotPasswordRules })
  @Mutation(() => Boolean, { description: "Emails a reset link. Returns true whether or not an account exists." })
  async requestPasswordReset(
    @Arg("input", () => RequestPasswordResetInput) input: RequestPasswordResetInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await requestPasswordReset(context, input.email);
    return true;
  }

  @Allow("everyone", { scope: "session" })
  @Check({ input: resetPasswordRules })
  @Mutation(() => SignInResult, {
    description: "Sets a new password with the token from the emailed link and signs in.",
  })
  async resetPassword(
    @Arg("input", () => ResetPasswordInput) input: ResetPasswordInput,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    return toSignInResult(context, await resetPassword(context, input));
  }

  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Check({ input: changePasswordRules })
  @Mutation(() => Boolean, { description: "Changes the caller's password and ends all of their other sessions." })
  async changePassword(
    @Arg("input", () => ChangePasswordInput) input: ChangePasswordInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await changePassword(context, input);
    return true;
  }
}
