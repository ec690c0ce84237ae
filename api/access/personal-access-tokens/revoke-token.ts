import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
import { isUuid } from "#api/platform/validate.ts";
import { holdUser } from "#api/people/users/get-user.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { noteToken } from "./create-token.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";

/**
 * Revokes a token of the caller's, or anybody's as an admin: it stops working with its next request, for good. Doing it
 * twice changes nothing. What admins do is audited.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN for a personal access token; NOT_FOUND, alike for foreign, unknown and
 * malformed ids.
 */
export async function revokeToken(context: Context, id: string): Promise<PersonalAccessToken> {
  const { userId, role } = sessionOf(context);
  if (!isUuid(id)) throw notFound();
  const whose = role === "admin" ? {} : { user: userId };
  return inTransaction(context, async (em) => {
    const known = await em.findOne(PersonalAccessToken, { id, ...whose });
    if (!known) throw notFound();
    // What noted the name after a deletion would keep it for good.
    await holdUser(em, known.user.id);
    const revokedAt = context.clock.now();
    const revoked = await em.nativeUpdate(PersonalAccessToken, { id: known.id, revokedAt: null }, { revokedAt });
    const token = await em.findOne(PersonalAccessToken, { id: known.id }, { refresh: true });
    if (!token) throw notFound();
    if (revoked === 1 && role === "admin") {
      const user = await em.findOneOrFail(User, token.user.id);
      await noteToken(context, em, "revoke-token", { token, user });
    }
    return token;
  });
}

/**
 * Revokes every token of a user, in the transaction of `em`: somebody becomes an admin, and what was handed out as a
 * customer's would reach everybody's data under the same scope.
 */
export async function revokeTokensOf(em: EntityManager, userId: string, at: Date): Promise<void> {
  await query(em, "update personal_access_tokens set revoked_at = $2 where user_id = $1 and revoked_at is null", [
    userId,
    at,
  ]);
}
