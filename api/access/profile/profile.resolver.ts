import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { type ProfileValues, profileRules } from "#schema/rules/account.ts";
import { Allow, Check, Scope, VisibleTo } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { PersonInput } from "#api/people/users/person.input.ts";
import { updateProfile } from "./update-profile.ts";
import { User } from "#api/people/users/user.entity.ts";

@InputType({ description: "The new values of a profile." })
export class UpdateProfileInput extends PersonInput implements ProfileValues {
  @Field(() => String, {
    description: "The email address. A new address takes effect once the user confirms it with the emailed link.",
  })
  email!: string;
  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the user wants to test pre-release versions. Unchanged if absent.",
  })
  isTester?: boolean;
  @Field(() => Boolean, { nullable: true, description: "Whether the user is a service provider. Unchanged if absent." })
  isServiceProvider?: boolean;
}

@VisibleTo("signedIn")
@ObjectType({ description: "The result of updating a profile." })
export class UpdateProfileResult {
  @Scope("session")
  @Field(() => User)
  user!: User;

  @Field(() => ID, {
    nullable: true,
    description: "The handle of the confirmation page if the email address changed, otherwise null.",
  })
  confirmationHandle!: string | null;
}

@Resolver()
export class ProfileResolver {
  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Check({ input: profileRules })
  @Mutation(() => UpdateProfileResult, { description: "Updates the signed-in user's own profile." })
  async updateProfile(
    @Arg("input", () => UpdateProfileInput) input: UpdateProfileInput,
    @Ctx() context: Context,
  ): Promise<UpdateProfileResult> {
    return updateProfile(context, input);
  }
}
