import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { isUuid } from "#api/platform/validate.ts";
import { lockUserAgainstDeletion } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { authorizeOwner } from "#api/access/sessions/admin-changes.ts";
import { recordTokenChange } from "./create-token.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";

/**
 * Revokes one of the caller's tokens, or any user's token if the caller is an owner. The token stops working on its
 * next request. Revoking a token twice has no effect. Admins' revocations are recorded in the audit log.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the caller uses a personal access token, or is an admin but not an owner
 * and the token is another user's; STEP_UP_REQUIRED for another user's token; NOT_FOUND to customers for another user's
 * token, and for unknown and malformed ids.
 */
export async function revokeToken(context: Context, id: string): Promise<PersonalAccessToken> {
  const { userId, role } = requireSession(context);
  if (!isUuid(id)) throw notFound();
  const ownerFilter = role === "admin" ? {} : { user: userId };
  return inTransaction(context, async (em) => {
    const known = await em.findOne(PersonalAccessToken, { id, ...ownerFilter });
    if (!known) throw notFound();
    if (known.user.id !== userId) authorizeOwner(context);
    // Without this lock, the audit entry could retain the name of a user whose account has just been deleted.
    await lockUserAgainstDeletion(em, known.user.id);
    const revokedAt = context.clock.now();
    const revoked = await em.nativeUpdate(PersonalAccessToken, { id: known.id, revokedAt: null }, { revokedAt });
    const token = await em.findOne(PersonalAccessToken, { id: known.id }, { refresh: true });
    if (!token) throw notFound();
    if (revoked === 1 && role === "admin") {
      const user = await em.findOneOrFail(User, token.user.id);
      await recordTokenChange(context, em, "revoke-token", { token, user });
    }
    return token;
  });
}

/**
 * Revokes all tokens of a user, in the transaction of `em`: when the user is signed out everywhere, and when a customer
 * becomes an admin, because the same scopes would then cover the data of all customers.
 * @returns the number of tokens revoked.
 */
export async function revokeUserTokens(em: EntityManager, userId: string, at: Date): Promise<number> {
  return em.nativeUpdate(PersonalAccessToken, { user: userId, revokedAt: null }, { revokedAt: at });
}
