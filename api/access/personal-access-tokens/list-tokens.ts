import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";

/** Expired tokens stay listed this long, so their owners can see why an integration stopped working. */
const SHOWN_EXPIRED_MS = 30 * DAY;

const tokensOfUser = createRelationLoader<PersonalAccessToken>({
  entity: PersonalAccessToken,
  of: "user",
  orderBy: { createdAt: "desc", id: "desc" },
  where: { revokedAt: null },
});

/**
 * Returns the caller's tokens as {@link listUserTokens} does.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the caller uses a personal access token.
 */
export async function listOwnTokens(context: Context): Promise<PersonalAccessToken[]> {
  return listUserTokens(context, requireSession(context).userId);
}

/** Returns the number of a user's tokens that are neither expired nor revoked. */
export async function countLiveTokens({ clock }: Context, em: EntityManager, userId: string): Promise<number> {
  return em.count(PersonalAccessToken, { user: userId, revokedAt: null, expiresAt: { $gt: clock.now() } });
}

/** Returns a user's tokens, newest first. Leaves out revoked tokens and tokens that expired more than 30 days ago. */
export async function listUserTokens(context: Context, userId: string): Promise<PersonalAccessToken[]> {
  const shownSince = addMilliseconds(context.clock.now(), -SHOWN_EXPIRED_MS);
  const tokens = await tokensOfUser(context, userId);
  return tokens.filter(({ expiresAt }) => expiresAt > shownSince);
}
