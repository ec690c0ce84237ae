import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { periodLockRules, type PeriodLockValues } from "#schema/staff-money.ts";
import { loadUserById } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import { check } from "#api/platform/validate.ts";
import { PeriodLock } from "./period-lock.entity.ts";
import { LockMode } from "@mikro-orm/core";
import { formatMonth } from "#schema/dates.ts";
import { addDays, getCalendarDay, getLastDayOfMonth } from "#schema/days.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { createPeriodLock } from "./open-time.ts";

const monthDescription = "The month, such as `2026-11`.";
const reasonDescription = "The reason, for the audit log.";

@Resolver(() => PeriodLock)
export class PeriodLockResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => PeriodLock, { description: "Which months of the accounts are locked." })
  async periodLock(@Ctx() context: Context): Promise<PeriodLock> {
    return (await context.em.findOne(PeriodLock, 1)) ?? Object.assign(new PeriodLock(), { id: 1 });
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

/**
 * Locks a month and all months before it (docs/domain.md#period-lock). Waits for transactions that write money. Locking a
 * locked month changes nothing.
 * @throws AppError BAD_USER_INPUT if the month hasn't ended.
 */
export async function lockMonth(context: Context, { month, reason }: PeriodLockValues): Promise<PeriodLock> {
  const lastDay = getLastDayOfMonth(month);
  if (lastDay >= getCalendarDay(context.clock.now()))
    throw badInput({ month: [`${formatMonth(`${month}-01`)} hasn't ended yet.`] });
  return change(context, "lock-month", { month, reason }, (lock) =>
    lock.lockedThrough !== null && lock.lockedThrough >= lastDay ? null : lastDay,
  );
}

/**
 * Reopens a month and all months after it.
 * @throws AppError CONFLICT if the month isn't locked.
 */
export async function reopenMonth(context: Context, { month, reason }: PeriodLockValues): Promise<PeriodLock> {
  return change(context, "reopen-month", { month, reason }, ({ lockedThrough }) => {
    if (lockedThrough === null || lockedThrough < getLastDayOfMonth(month))
      throw conflict(`${formatMonth(`${month}-01`)} isn't locked.`);
    return addDays(`${month}-01`, -1);
  });
}

/** Changes the lock in its own transaction. `findDay` returns the new last locked day, or null for no change. */
async function change(
  context: Context,
  action: "lock-month" | "reopen-month",
  { month, reason }: PeriodLockValues,
  findDay: (lock: PeriodLock) => string | null,
): Promise<PeriodLock> {
  return inTransaction(context, async (em) => {
    await createPeriodLock(em);
    const lock = await em.findOneOrFail(PeriodLock, 1, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    const before = lock.lockedThrough;
    const lockedThrough = findDay(lock);
    if (lockedThrough === null) return lock;
    Object.assign(lock, {
      lockedThrough,
      reason,
      changedAt: context.clock.now(),
      changedById: context.actor?.userId ?? null,
    });
    await recordChange(context, em, {
      action,
      subject: { type: "accounting-month", id: month, name: formatMonth(`${month}-01`) },
      userId: null,
      before: { lockedThrough: before, reason: null },
      after: { lockedThrough, reason },
    });
    return lock;
  });
}
