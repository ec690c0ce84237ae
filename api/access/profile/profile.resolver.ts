import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { type ProfileValues, profileRules } from "#schema/rules/account.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { PersonInput } from "#api/people/users/person.input.ts";
import { updateProfile } from "./update-profile.ts";
import { User } from "#api/people/users/user.entity.ts";

@InputType({ description: "A profile, as its form sends it." })
export class UpdateProfileInput extends PersonInput implements ProfileValues {
  @Field(() => String, { description: "Another address replaces the present one once its link is used." })
  email!: string;
  @Field(() => Boolean, { nullable: true, description: "Wants to test pre-release versions; unchanged when absent." })
  isTester?: boolean;
  @Field(() => Boolean, { nullable: true, description: "Unchanged when absent." })
  isServiceProvider?: boolean;
}

@ObjectType({ description: "A profile after its update." })
export class UpdateProfileResult {
  @Field(() => User)
  user!: User;

  @Field(() => ID, {
    nullable: true,
    description: "Handle of the confirmation page when another address was asked for, else null.",
  })
  confirmationHandle!: string | null;
}

@Resolver()
export class ProfileResolver {
  @Allow("signedIn")
  @Check({ input: profileRules })
  @Mutation(() => UpdateProfileResult, { description: "Updates the signed-in user's own profile." })
  async updateProfile(
    @Arg("input", () => UpdateProfileInput) input: UpdateProfileInput,
    @Ctx() context: Context,
  ): Promise<UpdateProfileResult> {
    return updateProfile(context, input);
  }
}
