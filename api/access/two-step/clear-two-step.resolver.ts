import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { clearTwoStepRules } from "#schema/account.ts";
import { Allow, createType, field, Scope } from "#api/platform/graphql/declare.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { inTransaction, lockRow } from "#api/platform/database/database.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { deleteTwoStep, notifyTwoStepChange } from "./method-changes.ts";

const ClearTwoStepInput = createInput("ClearTwoStepInput", clearTwoStepRules, {
  description: "Why two-step sign-in is turned off for a user.",
  fields: {
    reason: "The reason, kept in the audit log.",
    isIdentityChecked: "Whether the admin verified the user's identity by other means. Must be true.",
  },
});

export const ClearTwoStepResult = createType(
  "ClearTwoStepResult",
  "admin",
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

/**
 * Turns two-step sign-in off for a user who lost their app, passkeys and recovery codes. Deletes all of them, ends
 * every session and notifies the user by email (decision 0035). Admins can't do this for their own account.
 * @returns false if it was already off.
 * @throws AppError NOT_FOUND for unknown and malformed ids alike; CONFLICT for the caller's own account;
 * UNAUTHENTICATED.
 */
async function clearTwoStepSignIn(context: Context, userId: string, values: { reason: string }): Promise<boolean> {
  const actor = requireActor(context);
  if (userId.toLowerCase() === actor.userId)
    throw conflict(
      "You can't clear your own two-step sign-in. Change it under Two-step sign-in, or contact another admin.",
    );
  return inTransaction(context, async (em) => {
    const user = await lockRow(em, User, userId);
    if (user.deletedAt) throw notFound();
    authorizeAdminChange(context, user.memberType);
    if (!user.twoStepSince) return false;
    const since = user.twoStepSince.toISOString();
    await deleteTwoStep(em, user);
    const sessionsEnded = await endOtherSessions(context, em, user.id, null);
    await notifyTwoStepChange(context, em, user, { kind: "cleared" });
    await recordChange(context, em, {
      action: "clear-two-step",
      ...aboutUser(user),
      before: { twoStepSince: since },
      after: { twoStepSince: null, reason: values.reason, sessionsEnded },
    });
    return true;
  });
}
