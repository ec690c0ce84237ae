import { Ctx, Field, ID, Mutation, ObjectType, Resolver } from "type-graphql";
import { profileRules, type ProfileValues } from "#schema/account.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { personFields } from "#api/people/users/person.input.ts";
import { updateProfile } from "./update-profile.ts";
import { User } from "#api/people/users/user.entity.ts";

const UpdateProfileInput = createInput("UpdateProfileInput", profileRules, {
  description: "The new values of a profile.",
  fields: {
    ...personFields,
    email: "The email address. A new address takes effect once the user confirms it with the emailed link.",
    isTester: "Whether the user wants to test pre-release versions. Unchanged if absent.",
    isServiceProvider: "Whether the user is a service provider. Unchanged if absent.",
  },
});

@VisibleTo("signedIn")
@ObjectType({ description: "The result of updating a profile." })
export class UpdateProfileResult {
  @Scope("session")
  @Field(() => User, { description: "The user with the new values." })
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
  @Mutation(() => UpdateProfileResult, { description: "Updates the signed-in user's own profile." })
  async updateProfile(
    @CheckedArg("input", UpdateProfileInput) input: ProfileValues,
    @Ctx() context: Context,
  ): Promise<UpdateProfileResult> {
    return updateProfile(context, input);
  }
}
