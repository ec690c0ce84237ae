import { LockMode } from "@mikro-orm/core";
import type { Context } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { endOtherSessions } from "#api/access/sessions/end-session.ts";
import { actorOf } from "./prove-identity.ts";
import { eraseTwoStep, tell } from "./turn-on-and-off.ts";

/**
 * Turns two-step sign-in off for somebody who lost app, passkeys and recovery codes: all of them are erased, every session
 * ends, and the person is told by mail (decision 0035). No admin does it for themselves.
 * @returns false when it was off already.
 * @throws AppError NOT_FOUND, alike for unknown and malformed ids; CONFLICT for the caller's own account; UNAUTHENTICATED.
 */
export async function clearTwoStepSignIn(
  context: Context,
  userId: string,
  values: { reason: string },
): Promise<boolean> {
  const actor = actorOf(context);
  if (!isUuid(userId)) throw notFound();
  if (userId.toLowerCase() === actor.userId)
    throw new AppError("CONFLICT", {
      message: "Another admin has to do this for you. You change your own under Two-Step Sign-In.",
    });
  return inTransaction(context, async (em) => {
    const user = await em.findOne(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!user || user.deletedAt) throw notFound();
    if (!user.twoStepSince) return false;
    const since = user.twoStepSince.toISOString();
    await eraseTwoStep(em, user);
    const sessionsEnded = await endOtherSessions(context, em, user.id, null);
    await tell(context, em, user, { kind: "cleared" });
    await noteChange(context, em, {
      action: "clear-two-step",
      subject: { type: "user", id: user.id, name: `${user.firstName} ${user.lastName}` },
      userId: user.id,
      before: { twoStepSince: since },
      after: { twoStepSince: null, reason: values.reason, sessionsEnded },
    });
    return true;
  });
}
