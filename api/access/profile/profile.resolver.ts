import { Ctx, Mutation, Resolver } from "type-graphql";
import { profileRules, type ProfileValues, timeZoneRules } from "#schema/account.ts";
import type { InferType } from "yup";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { personFields, TIME_ZONE_DESCRIPTION } from "#api/people/users/person.input.ts";
import { updateProfile, updateTimeZone, UpdateProfileResult } from "./update-profile.ts";
import { User } from "#api/people/users/user.entity.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { toProfileJson, profileShape } from "#api/people/users/profile.json.ts";
import { defineRoute, flag, namedObject, catalogueNumber } from "#api/platform/http/define-route.ts";
import { exampleProfile, exampleRegistration, param } from "#api/platform/http/route-examples.ts";
import type { Static } from "typebox";
import { memberTypes } from "#schema/user.ts";
import { notFound } from "#api/platform/errors.ts";
import { requireScopes } from "#api/platform/graphql/token-scopes.ts";
import { getUser } from "#api/people/users/get-user.ts";

const UpdateProfileInput = createInput("UpdateProfileInput", profileRules, {
  description: "The new values of a profile.",
  fields: {
    ...personFields,
    email: "The email address. A new address takes effect once the user confirms it with the emailed link.",
    isTester: "Whether the user wants to test pre-release versions. Unchanged if absent.",
    isServiceProvider: "Whether the user is a service provider. Unchanged if absent.",
  },
});

const UpdateTimeZoneInput = createInput("UpdateTimeZoneInput", timeZoneRules, {
  description: "The time zone of a browser.",
  fields: { timeZone: TIME_ZONE_DESCRIPTION },
});

@Resolver()
export class ProfileResolver {
  @Allow("signedIn", { scope: "session", proof: "conditional" })
  @Mutation(() => UpdateProfileResult, { description: "Updates the signed-in user's own profile." })
  async updateProfile(
    @CheckedArg("input", UpdateProfileInput) input: ProfileValues,
    @Ctx() context: Context,
  ): Promise<UpdateProfileResult> {
    return updateProfile(context, input);
  }

  @Allow("signedIn", { scope: "session" })
  @Mutation(() => User, { description: "Stores the time zone of the user's browser, which emails to the user use." })
  async updateTimeZone(
    @CheckedArg("input", UpdateTimeZoneInput) { timeZone }: InferType<typeof timeZoneRules>,
    @Ctx() context: Context,
  ): Promise<User> {
    return updateTimeZone(context, timeZone);
  }
}

const tag = "Accounts";

/** Calls for profiles. */
export const profileRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/core/accounts/:userId/profile/settings",
    params: { userId: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "profile:read" },
    tag,
    summary: "Get an account's member type and settings",
    response: profileSettingsShape,
    example: { memberType: 1, isTester: false, isServiceProvider: false },
    handler: async ({ context, params }) => getProfileSettings(context, params.userId),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/core/accounts/:userId/profile",
    params: { userId: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "profile:read" },
    tag,
    summary: "Get a profile. Admins can get any profile, other users only their own",
    response: profileShape,
    example: exampleProfile,
    handler: async ({ context, params }) => toProfileJson(await getProfile(context, params.userId)),
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/core/accounts/update-profile",
    operation: "Mutation.updateProfile",
    tag,
    summary: "Update your profile. Returns true if a new email address has to be confirmed",
    body: profileRules,
    bodyExample: exampleRegistration,
    response: flag,
    example: false,
    handler: async ({ context, body }) => (await updateProfile(context, body)).confirmationHandle !== null,
  }),
];

/** Account data that the portal loads before it shows a page. */
const profileSettingsShape = namedObject("ProfileSettings", {
  memberType: catalogueNumber(memberTypes),
  isTester: flag,
  isServiceProvider: flag,
});
type ProfileSettings = Static<typeof profileSettingsShape>;

/**
 * Returns the settings of the caller's own account, or of any account if the caller is an admin.
 * @throws AppError NOT_FOUND for another user's, unknown and malformed ids alike.
 */
async function getProfileSettings(context: Context, userId: string): Promise<ProfileSettings> {
  const { memberType, isTester, isServiceProvider } = await getProfile(context, userId);
  return { memberType, isTester, isServiceProvider };
}

/**
 * Returns the caller's own account, or any account if the caller is an admin.
 * @throws AppError NOT_FOUND for another user's, unknown and malformed ids alike; FORBIDDEN if a personal access token
 * without `users:read` requests an account that is not its owner's.
 */
async function getProfile(context: Context, userId: string): Promise<User> {
  const { actor } = context;
  const isOwn = actor?.userId === userId.toLowerCase();
  if (actor?.role !== "admin" && !isOwn) throw notFound();
  // The scope `profile:read` covers only the token owner's profile.
  if (!isOwn) requireScopes(["users:read"], actor);
  return getUser(context, userId);
}
