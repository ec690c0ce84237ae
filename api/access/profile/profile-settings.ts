import type { Static } from "typebox";
import { memberTypes } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import { namedObject, catalogueNumber, flag } from "#api/platform/http/json-types.ts";
import { notFound } from "#api/platform/errors.ts";
import { requireScopes } from "#api/platform/graphql/token-scopes.ts";
import { getUser } from "#api/people/users/get-user.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** Account data that the portal loads before it shows a page. */
export const profileSettingsShape = namedObject("ProfileSettings", {
  memberType: catalogueNumber(memberTypes),
  isTester: flag,
  isServiceProvider: flag,
});
type ProfileSettings = Static<typeof profileSettingsShape>;

/**
 * Returns the settings of the caller's own account, or of any account if the caller is an admin.
 * @throws AppError NOT_FOUND for another user's, unknown and malformed ids alike.
 */
export async function getProfileSettings(context: Context, userId: string): Promise<ProfileSettings> {
  const { memberType, isTester, isServiceProvider } = await getProfile(context, userId);
  return { memberType, isTester, isServiceProvider };
}

/**
 * Returns the caller's own account, or any account if the caller is an admin.
 * @throws AppError NOT_FOUND for another user's, unknown and malformed ids alike; FORBIDDEN if a personal access token
 * without `users:read` requests an account that is not its owner's.
 */
export async function getProfile(context: Context, userId: string): Promise<User> {
  const { actor } = context;
  const isOwn = actor?.userId === userId.toLowerCase();
  if (actor?.role !== "admin" && !isOwn) throw notFound();
  // The scope `profile:read` covers only the token owner's profile.
  if (!isOwn) requireScopes(["users:read"], actor);
  return getUser(context, userId);
}
