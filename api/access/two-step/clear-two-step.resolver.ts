import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { clearTwoStepRules } from "#schema/rules/two-step.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { User } from "#api/people/users/user.entity.ts";
import { clearTwoStepSignIn } from "./clear-two-step.ts";

const ClearTwoStepInput = createInput("ClearTwoStepInput", clearTwoStepRules, {
  description: "Why two-step sign-in is turned off for a user.",
  fields: {
    reason: "The reason, kept in the audit log.",
    isIdentityChecked: "Whether the admin verified the user's identity by other means. Must be true.",
  },
});

@Resolver(() => User)
export class ClearTwoStepResolver {
  @Allow("admin", { roles: ["support", "finance"], scope: "users:read" })
  @FieldResolver(() => Date, {
    nullable: true,
    description: "When two-step sign-in was turned on, in UTC. Null if it is off.",
  })
  twoStepSince(@Root() user: User): Date | null {
    return user.twoStepSince;
  }

  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => Boolean, {
    description:
      "Turns two-step sign-in off for a user who lost all methods and recovery codes, and ends their sessions. Returns false if it was already off.",
  })
  async clearTwoStepSignIn(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @CheckedArg("input", ClearTwoStepInput) input: InferType<typeof clearTwoStepRules>,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return clearTwoStepSignIn(context, userId, input);
  }
}
