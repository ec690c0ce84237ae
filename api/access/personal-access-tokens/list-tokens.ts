import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { createRelationLoader } from "#api/platform/loaders.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
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
 * Returns the caller's tokens as {@link listTokensOf} does.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the caller uses a personal access token.
 */
export async function listOwnTokens(context: Context): Promise<PersonalAccessToken[]> {
  return listTokensOf(context, sessionOf(context).userId);
}

/** Returns the number of a user's tokens that are neither expired nor revoked. */
export async function countLiveTokens({ clock }: Context, em: EntityManager, userId: string): Promise<number> {
  return em.count(PersonalAccessToken, { user: userId, revokedAt: null, expiresAt: { $gt: clock.now() } });
}

/** Returns a user's tokens, newest first. Leaves out revoked tokens and tokens that expired more than 30 days ago. */
export async function listTokensOf(context: Context, userId: string): Promise<PersonalAccessToken[]> {
  const shownSince = after(context.clock.now(), -SHOWN_EXPIRED_MS);
  const tokens = await tokensOfUser(context, userId);
  return tokens.filter(({ expiresAt }) => expiresAt > shownSince);
}
