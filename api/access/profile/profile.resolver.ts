import { Ctx, Mutation, Resolver } from "type-graphql";
import { profileRules, type ProfileValues, timeZoneRules } from "#schema/account.ts";
import type { InferType } from "yup";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { personFields, TIME_ZONE_DESCRIPTION } from "#api/people/users/person.input.ts";
import { getUser, lockCaller, User } from "#api/people/users/user.entity.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { toProfileJson, profileShape } from "#api/people/users/profile.json.ts";
import { catalogueNumber, flag, namedObject, routesOf } from "#api/platform/http/define-route.ts";
import { exampleProfile, exampleRegistration, param } from "#api/platform/http/route-examples.ts";
import { memberTypes } from "#schema/user.ts";
import { notFound } from "#api/platform/errors.ts";
import { pick } from "#api/platform/pick.ts";
import { requireScopes } from "#api/platform/graphql/token-scopes.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { randomUUID } from "node:crypto";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { requireRecentProof } from "#api/platform/graphql/harm.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { emailChanging } from "#api/messaging/emails/templates/email-changing.tsx";
import { createUndoLink } from "#api/access/registration/email-changes.ts";
import { sendChangeConfirmation, requireAccountEmail } from "#api/access/registration/send-confirmation.ts";
import { changeOwnDetails } from "./change-own-details.ts";

const UpdateProfileResult = createType("UpdateProfileResult", "signedIn", "The result of updating a profile.", {
  user: field.object(() => User, "The user with the new values.", { access: Scope("session") }),
  confirmationHandle: fieldOrNull.id(
    "The handle of the confirmation page if the email address changed, otherwise null.",
  ),
});
type UpdateProfileResult = InstanceType<typeof UpdateProfileResult>;

/**
 * Updates the caller's own profile. A new email address is pending until the user opens the link sent to it; until then
 * the current address stays valid and receives a notification. Returns the same result if the address belongs to
 * another account. Sending the current address cancels a pending change, and a change of letter case takes effect
 * immediately. Text fields left out are cleared; checkboxes left out stay unchanged.
 * @throws AppError UNAUTHENTICATED; RATE_LIMITED after 5 address changes an hour, or after 3 account emails an hour to the
 * new address; STEP_UP_REQUIRED for a new address without a recent proof of identity.
 */
async function updateProfile(context: Context, values: ProfileValues): Promise<UpdateProfileResult> {
  const userId = getCallerId(context);
  const { email, companyName = "", unitNumber = "", fullAddress = "", isTester, isServiceProvider, ...rest } = values;
  const signInEmail = email.toLowerCase();
  if ((await context.em.fork().count(User, { id: userId, signInEmail })) === 0) {
    requireRecentProof(context);
    await context.rateLimits.take("changeEmail", userId);
    await requireAccountEmail(context, signInEmail);
  }

  return inTransaction(context, async (em) => {
    const user = await lockCaller(context, em);
    const isSameAddress = signInEmail === user.signInEmail;
    await changeOwnDetails(context, em, user, {
      ...rest,
      companyName,
      unitNumber,
      fullAddress,
      isTester: isTester ?? user.isTester,
      isServiceProvider: isServiceProvider ?? user.isServiceProvider,
      ...(isSameAddress ? { email, pendingEmail: null } : {}),
    });
    return { user, confirmationHandle: isSameAddress ? null : await requestEmailChange(context, em, user, email) };
  });
}

/**
 * Stores the time zone of the caller's browser. It isn't a detail that staff edit, so open forms stay up to date.
 * @throws AppError UNAUTHENTICATED
 */
async function updateTimeZone(context: Context, timeZone: string): Promise<User> {
  return inTransaction(context, async (em) => {
    const user = await lockCaller(context, em);
    user.timeZone = timeZone;
    return user;
  });
}

async function requestEmailChange(context: Context, em: EntityManager, user: User, email: string): Promise<string> {
  const handle = (user.pendingEmail === email && user.emailChangeHandle) || randomUUID();
  user.pendingEmail = email;
  user.emailChangeHandle = handle;
  const undoLink = createUndoLink(context, em, user, user.email);
  await em.flush();
  await emailUser(context, em, user, emailChanging, { newEmail: email, undoLink });
  await sendChangeConfirmation(context, em, user, email);
  return handle;
}

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

/** Account data that the portal loads before it shows a page. */
const profileSettingsShape = namedObject("ProfileSettings", {
  memberType: catalogueNumber(memberTypes),
  isTester: flag,
  isServiceProvider: flag,
});

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

const defineRoute = routesOf("Accounts");
const ofOthers =
  "Admins can get that of any user, with a personal access token only if it has the scope `users:read`, too. Other users can get only their own";

/** Calls for profiles. */
export const profileRoutes = [
  defineRoute("GET /v1/core/accounts/:userId/profile/settings", {
    params: { userId: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "profile:read" },
    summary: `Get an account's member type and settings. ${ofOthers}`,
    response: profileSettingsShape,
    example: { memberType: 1, isTester: false, isServiceProvider: false },
    handler: async ({ context, params }) =>
      pick(await getProfile(context, params.userId), "memberType", "isTester", "isServiceProvider"),
  }),
  defineRoute("GET /v1/core/accounts/:userId/profile", {
    params: { userId: param.self },
    allow: { audience: "signedIn", roles: customerStaff, scope: "profile:read" },
    summary: `Get a profile. ${ofOthers}`,
    response: profileShape,
    example: exampleProfile,
    handler: async ({ context, params }) => toProfileJson(await getProfile(context, params.userId)),
  }),
  defineRoute("PUT /v1/core/accounts/update-profile", {
    operation: "Mutation.updateProfile",
    summary: "Update your profile. Returns true if a new email address has to be confirmed",
    body: profileRules,
    bodyExample: exampleRegistration,
    response: flag,
    example: false,
    handler: async ({ context, body }) => (await updateProfile(context, body)).confirmationHandle !== null,
  }),
];
