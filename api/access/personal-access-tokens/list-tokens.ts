import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { createRelationLoader } from "#api/platform/loaders.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";

/** How long a token that expired is still listed, so that its owner sees why a program stopped. */
const SHOWN_EXPIRED_MS = 30 * DAY;

const tokensOfUser = createRelationLoader<PersonalAccessToken>({
  entity: PersonalAccessToken,
  of: "user",
  orderBy: { createdAt: "desc", id: "desc" },
  where: { revokedAt: null },
});

/** The caller's tokens, as {@link listTokensOf}. @throws AppError UNAUTHENTICATED; FORBIDDEN for a personal access token. */
export async function listOwnTokens(context: Context): Promise<PersonalAccessToken[]> {
  return listTokensOf(context, sessionOf(context).userId);
}

/** How many of a user's tokens work, as `em` sees it. */
export async function countLiveTokens({ clock }: Context, em: EntityManager, userId: string): Promise<number> {
  return em.count(PersonalAccessToken, { user: userId, revokedAt: null, expiresAt: { $gt: clock.now() } });
}

/** A user's tokens, newest first: those that were not revoked, with those that expired in the last 30 days. */
export async function listTokensOf(context: Context, userId: string): Promise<PersonalAccessToken[]> {
  const shownSince = after(context.clock.now(), -SHOWN_EXPIRED_MS);
  const tokens = await tokensOfUser(context, userId);
  return tokens.filter(({ expiresAt }) => expiresAt > shownSince);
}
