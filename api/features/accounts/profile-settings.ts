import type { MemberType } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { getUser } from "./list-users.ts";

/** What the portal needs to know of an account before it shows a page (spec §7). */
export interface ProfileSettings {
  memberType: MemberType;
  isTester: boolean;
  isServiceProvider: boolean;
}

/**
 * Settings of the caller's own account, or of any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function getProfileSettings(context: Context, userId: string): Promise<ProfileSettings> {
  if (context.actor?.role !== "admin" && context.actor?.userId !== userId.toLowerCase()) throw notFound();
  const { memberType, isTester, isServiceProvider } = await getUser(context, userId);
  return { memberType, isTester, isServiceProvider };
}
