import { LockMode } from "@mikro-orm/core";
import { type Context, requireActor } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { authorizeAdminChange } from "#api/access/sessions/admin-changes.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { deleteTwoStep, notifyTwoStepChange } from "./method-changes.ts";

/**
 * Turns two-step sign-in off for a user who lost their app, passkeys and recovery codes. Deletes all of them, ends
 * every session and notifies the user by email (decision 0035). Admins can't do this for their own account.
 * @returns false if it was already off.
 * @throws AppError NOT_FOUND for unknown and malformed ids alike; CONFLICT for the caller's own account;
 * UNAUTHENTICATED.
 */
export async function clearTwoStepSignIn(
  context: Context,
  userId: string,
  values: { reason: string },
): Promise<boolean> {
  const actor = requireActor(context);
  if (!isUuid(userId)) throw notFound();
  if (userId.toLowerCase() === actor.userId)
    throw new AppError("CONFLICT", {
      message: "You can't clear your own two-step sign-in. Change it under Two-step sign-in, or contact another admin.",
    });
  return inTransaction(context, async (em) => {
    const user = await em.findOne(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user || user.deletedAt) throw notFound();
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
