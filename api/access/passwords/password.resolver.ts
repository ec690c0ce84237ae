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
import { SignInResult, signInResultOf } from "#api/access/sessions/sign-in-result.type.ts";
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
  @Field(() => String, { description: "The secret of the mail's link." })
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
  @Allow("everyone")
  @Check({ input: resetTokenRules })
  @Query(() => Boolean, { description: "Whether a reset link would work now." })
  async isResetTokenValid(
    @Arg("input", () => ResetTokenInput) input: ResetTokenInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return isResetTokenValid(context, input.resetToken);
  }

  @Allow("everyone")
  @Check({ input: forgotPasswordRules })
  @Mutation(() => Boolean, { description: "Mails a reset link; answers alike whether the account exists or not." })
  async requestPasswordReset(
    @Arg("input", () => RequestPasswordResetInput) input: RequestPasswordResetInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await requestPasswordReset(context, input.email);
    return true;
  }

  @Allow("everyone")
  @Check({ input: resetPasswordRules })
  @Mutation(() => SignInResult, { description: "Replaces the password by the mail's secret and signs in." })
  async resetPassword(
    @Arg("input", () => ResetPasswordInput) input: ResetPasswordInput,
    @Ctx() context: Context,
  ): Promise<SignInResult> {
    return signInResultOf(await resetPassword(context, input));
  }

  @Allow("signedIn")
  @Check({ input: changePasswordRules })
  @Mutation(() => Boolean, { description: "Replaces the caller's password; all other sessions end." })
  async changePassword(
    @Arg("input", () => ChangePasswordInput) input: ChangePasswordInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    await changePassword(context, input);
    return true;
  }
}
