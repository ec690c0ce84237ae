import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, Resolver, Root } from "type-graphql";
import { clearTwoStepRules } from "#schema/rules/two-step.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { User } from "#api/people/users/user.entity.ts";
import { clearTwoStepSignIn } from "./clear-two-step.ts";

@InputType()
export class ClearTwoStepInput {
  @Field(() => String, { description: "Why, in the admin's words; stays in the audit log." })
  reason!: string;

  @Field(() => Boolean, { description: "The admin has made sure, by another way, who asks. Must be true." })
  isIdentityChecked!: boolean;
}

@Resolver(() => User)
export class ClearTwoStepResolver {
  @Allow("admin")
  @FieldResolver(() => Date, { nullable: true, description: "Since when two-step sign-in is on, UTC; null while off." })
  twoStepSince(@Root() user: User): Date | null {
    return user.twoStepSince;
  }

  @Allow("admin")
  @Check({ input: clearTwoStepRules })
  @Mutation(() => Boolean, {
    description:
      "Turns two-step sign-in off for somebody who lost everything, with all methods and codes, and ends their sessions; false when it was off.",
  })
  async clearTwoStepSignIn(
    @Arg("userId", () => ID) userId: string,
    @Arg("input", () => ClearTwoStepInput) input: ClearTwoStepInput,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return clearTwoStepSignIn(context, userId, input);
  }
}
