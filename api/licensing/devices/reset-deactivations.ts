import type { Context } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { getUser } from "#api/people/users/get-user.ts";
import { lockDeactivationAllowance, type YearlyAllowance } from "./deactivation-allowance.ts";

/**
 * Resets a customer's deactivation counter, so past deactivations no longer count (docs/domain.md#deactivations).
 * @returns the customer's new allowance.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function resetDeactivationCounter(context: Context, userId: string): Promise<YearlyAllowance> {
  const { id } = await getUser(context, userId);
  return inTransaction(context, async (em) => {
    const { user, used, limit } = await lockDeactivationAllowance(context, em, id);
    const resetAt = context.clock.now();
    const toAuditValues = (at: Date | null, count: number) => ({
      deactivationsResetAt: at?.toISOString() ?? null,
      deactivationsUsed: count,
    });
    await recordChange(context, em, {
      action: "reset-deactivations",
      ...aboutUser(user),
      before: toAuditValues(user.deactivationsResetAt, used),
      after: toAuditValues(resetAt, 0),
    });
    user.deactivationsResetAt = resetAt;
    return { limit, used: 0, remaining: limit, nextFreeAt: null, resetAt };
  });
}
