import type { Static } from "typebox";
import { memberTypes } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { named, numberOf, truth } from "#api/platform/json-shapes.ts";
import { notFound } from "#api/platform/errors.ts";
import { refuseBeyondScopes } from "#api/platform/token-scopes.ts";
import { getUser } from "#api/people/users/get-user.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** What the portal needs to know of an account before it shows a page. */
export const profileSettingsShape = named("ProfileSettings", {
  memberType: numberOf(memberTypes),
  isTester: truth,
  isServiceProvider: truth,
});
type ProfileSettings = Static<typeof profileSettingsShape>;

/**
 * Settings of the caller's own account, or of any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function getProfileSettings(context: Context, userId: string): Promise<ProfileSettings> {
  const { memberType, isTester, isServiceProvider } = await getProfile(context, userId);
  return { memberType, isTester, isServiceProvider };
}

/**
 * The caller's own account, or any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids; FORBIDDEN for a personal access token without
 * `users:read` where it is not its owner's.
 */
export async function getProfile(context: Context, userId: string): Promise<User> {
  const { actor } = context;
  const isOwn = actor?.userId === userId.toLowerCase();
  if (actor?.role !== "admin" && !isOwn) throw notFound();
  // A token that may read its owner's profile may not read everybody's for that.
  if (!isOwn) refuseBeyondScopes(["users:read"], actor);
  return getUser(context, userId);
}
