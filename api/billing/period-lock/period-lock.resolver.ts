import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { periodLockRules } from "#schema/staff-money.ts";
import { loadUserById } from "#api/people/users/get-user.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { check } from "#api/platform/validate.ts";
import { getPeriodLock, lockMonth, reopenMonth } from "./lock-months.ts";
import { PeriodLock } from "./period-lock.entity.ts";

const monthDescription = "The month, such as `2026-11`.";
const reasonDescription = "The reason, for the audit log.";

@Resolver(() => PeriodLock)
export class PeriodLockResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => PeriodLock, { description: "Which months of the accounts are locked." })
  async periodLock(@Ctx() context: Context): Promise<PeriodLock> {
    return getPeriodLock(context);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => PeriodLock, {
    description:
      "Locks a month that has ended, and all months before it. Nothing is dated in a locked month any more. Repeated calls change nothing.",
  })
  async lockMonth(
    @Arg("month", () => String, { description: monthDescription }) month: string,
    @Arg("reason", () => String, { description: reasonDescription }) reason: string,
    @Ctx() context: Context,
  ): Promise<PeriodLock> {
    return lockMonth(context, check(periodLockRules, { month, reason }));
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => PeriodLock, { description: "Reopens a locked month, and all months after it." })
  async reopenMonth(
    @Arg("month", () => String, { description: monthDescription }) month: string,
    @Arg("reason", () => String, { description: reasonDescription }) reason: string,
    @Ctx() context: Context,
  ): Promise<PeriodLock> {
    return reopenMonth(context, check(periodLockRules, { month, reason }));
  }

  @FieldResolver(() => String, { nullable: true, description: "Name of the admin who last changed it." })
  async changedBy(@Root() { changedById }: PeriodLock, @Ctx() context: Context): Promise<string | null> {
    const admin = changedById ? await loadUserById(context, changedById) : null;
    return admin && `${admin.firstName} ${admin.lastName}`;
  }
}
