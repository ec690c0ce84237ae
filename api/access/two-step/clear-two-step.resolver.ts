import { Arg, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { clearTwoStepRules } from "#schema/account.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { User } from "#api/people/users/user.entity.ts";
import { clearTwoStepSignIn } from "./clear-two-step.ts";
import { getUser } from "#api/people/users/get-user.ts";

const ClearTwoStepInput = createInput("ClearTwoStepInput", clearTwoStepRules, {
  description: "Why two-step sign-in is turned off for a user.",
  fields: {
    reason: "The reason, kept in the audit log.",
    isIdentityChecked: "Whether the admin verified the user's identity by other means. Must be true.",
  },
});

@VisibleTo("admin")
@ObjectType({ description: "The result of turning two-step sign-in off for a user." })
export class ClearTwoStepResult {
  @Scope("session")
  @Field(() => User, { description: "The user." })
  user!: User;

  @Field(() => Boolean, { description: "Whether two-step sign-in was on before." })
  wasOn!: boolean;
}

@Resolver(() => User)
export class ClearTwoStepResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => Date, {
    nullable: true,
    description: "When two-step sign-in was turned on, in UTC. Null if it is off.",
  })
  twoStepSince(@Root() user: User): Date | null {
    return user.twoStepSince;
  }

  @Allow("admin", { roles: ["support"], harm: "access" })
  @Mutation(() => ClearTwoStepResult, {
    description:
      "Turns two-step sign-in off for a user who lost all methods and recovery codes, and ends their sessions.",
  })
  async clearTwoStepSignIn(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @CheckedArg("input", ClearTwoStepInput) input: InferType<typeof clearTwoStepRules>,
    @Ctx() context: Context,
  ): Promise<ClearTwoStepResult> {
    const wasOn = await clearTwoStepSignIn(context, userId, input);
    return { user: await getUser(context, userId), wasOn };
  }
}
