import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { holdUser } from "#api/people/users/hold-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { endOtherSessions } from "./end-session.ts";

/**
 * Signs a user out everywhere, as an admin; the session that asks goes on when it is their own account.
 * @returns how many sessions were ended.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND, alike for unknown and malformed ids; CONFLICT for an account that its
 * owner deleted, whose name must not come into the audit log again.
 */
export async function endSessionsOf(context: Context, userId: string): Promise<number> {
  const { actor } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return inTransaction(context, async (em) => {
    await holdUser(em, userId);
    const user = await em.findOneOrFail(User, userId);
    const ended = await endOtherSessions(context, em, user.id, actor.sessionId);
    if (ended > 0)
      await noteChange(context, em, {
        action: "end-sessions",
        subject: { type: "user", id: user.id, name: `${user.firstName} ${user.lastName}` },
        userId: user.id,
        after: { sessionsEnded: ended },
      });
    return ended;
  });
}
