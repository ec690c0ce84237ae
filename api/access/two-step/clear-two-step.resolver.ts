import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { clearTwoStepRules } from "#schema/account.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
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

export const ClearTwoStepResult = createType(
  "ClearTwoStepResult",
  VisibleTo("admin"),
  "The result of turning two-step sign-in off for a user.",
  {
    user: field.object(() => User, "The user.", { access: Scope("session") }),
    wasOn: field.flag("Whether two-step sign-in was on before."),
  },
);
export type ClearTwoStepResult = InstanceType<typeof ClearTwoStepResult>;

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
