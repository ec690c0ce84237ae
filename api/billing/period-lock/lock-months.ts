import { LockMode } from "@mikro-orm/core";
import { formatMonth } from "#schema/dates.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { getLastDayOfMonth, type PeriodLockValues } from "#schema/staff-money.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { createPeriodLock } from "./open-time.ts";
import { PeriodLock } from "./period-lock.entity.ts";

/** Returns which months are locked. */
export async function getPeriodLock({ em }: Pick<Context, "em">): Promise<PeriodLock> {
  return (await em.findOne(PeriodLock, 1)) ?? Object.assign(new PeriodLock(), { id: 1 });
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
      throw new AppError("CONFLICT", { message: `${formatMonth(`${month}-01`)} isn't locked.` });
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
