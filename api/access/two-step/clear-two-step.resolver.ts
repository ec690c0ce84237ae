import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, Resolver, Root } from "type-graphql";
import { clearTwoStepRules } from "#schema/rules/two-step.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { clearTwoStepSignIn } from "./clear-two-step.ts";

@InputType()
export class ClearTwoStepInput {
  @Field(() => String, { description: "The reason, kept in the audit log." })
  reason!: string;

  @Field(() => Boolean, { description: "Whether the admin verified the user's identity by other means. Must be true." })
  isIdentityChecked!: boolean;
}

@Resolver(() => User)
export class ClearTwoStepResolver {
  @Allow("admin", { roles: "all", scope: "users:read" })
  @FieldResolver(() => Date, {
    nullable: true,
    description: "When two-step sign-in was turned on, in UTC. Null if it is off.",
  })
  twoStepSince(@Root() user: User): Date | null {
    return user.twoStepSince;
  }

  @Allow("admin", { roles: ["support"], scope: "session", proof: "recent" })
  @Check({ input: clearTwoStepRules })
  @Mutation(() => Boolean, {
    description:
      "Turns two-step sign-in off for a user who lost all methods and recovery codes, and ends their sessions. Returns false if it was already off.",
  })
  async clearTwoStepSignIn(
    @Arg("userId", () => ID) userId: string,
    @Arg("input", () => ClearTwoStepInput) input: ClearTwoStepInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return clearTwoStepSignIn(context, userId, input);
  }
}
