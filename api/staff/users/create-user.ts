import { type CreateUserValues, MemberType, userFields } from "#schema/user.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { type EntityManager, inUniqueTransaction } from "#api/platform/database/database.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";
import { hashUnusablePassword } from "#api/access/sessions/password.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { accountCreated } from "#api/messaging/emails/templates/account-created.tsx";
import { authorizeAdminChange } from "#api/platform/graphql/staff-role.ts";
import { describeTakenAddress, isAddressTaken, UNDO_DAYS } from "#api/access/registration/email-changes.ts";
import { buildEmailLink, issueEmailToken } from "#api/access/registration/email-tokens.ts";
import { getAuditedValues } from "#schema/field.ts";
import { User } from "#api/people/users/user.entity.ts";
import { chooseStaffRoles, reportRoleChange } from "./staff-roles.ts";

/** Lifetime of the link in an invitation. */
interface LinkLifetime {
  readonly lifetimeMs: number;
  /** The lifetime in words. */
  readonly expiresIn: string;
}

/** Days for which the link in the invitation works (docs/domain.md#invitations). */
const INVITATION_DAYS = 7;
const invitationLifetime: LinkLifetime = { lifetimeMs: INVITATION_DAYS * DAY, expiresIn: `${INVITATION_DAYS} days` };

/** Returns the error for an email address that another account uses. Only staff may see it. */
export function buildEmailTakenError(): AppError {
  return badInput({ email: ["Another account has this email address."] });
}

/**
 * Checks that staff may give an account an address.
 * @throws AppError BAD_USER_INPUT under `email` if another account has the address, or had it within the last 7 days
 */
export async function rejectTakenAddress(em: EntityManager, address: string, exceptUserId?: string): Promise<void> {
  if (!(await isAddressTaken(em, address, exceptUserId))) return;
  if (!(await describeTakenAddress(em, address)).reservedUntil) throw buildEmailTakenError();
  throw badInput({ email: [`Another account had this email address and can take it back for ${UNDO_DAYS} days.`] });
}

/** The fields of a new account, without those that aren't stored as they were sent. */
type AccountDetails = Omit<CreateUserValues, "staffRoles" | "password" | "confirmPassword">;

/**
 * Creates an active, confirmed account and emails its user a link to choose a password. Until then nobody knows a password
 * of the account. Runs in the transaction of `em`.
 */
export async function addInvitedUser(
  context: Context,
  em: EntityManager,
  details: Pick<AccountDetails, "email" | "firstName" | "lastName" | "mobile" | "memberType"> & Partial<AccountDetails>,
  invitation: LinkLifetime & { readonly staffRoles: StaffRole[]; readonly passwordHash: string },
): Promise<{ user: User; link: string }> {
  const { staffRoles, passwordHash, ...lifetime } = invitation;
  const isAdmin = details.memberType === MemberType.Admin;
  const now = context.clock.now();
  const user = em.create(User, {
    ...details,
    staffRoles,
    signInEmail: details.email.toLowerCase(),
    passwordHash,
    registeredAt: now,
    emailConfirmedAt: now,
  });
  await em.flush();
  const link = await sendInvitation(context, em, user, lifetime);
  await recordChange(context, em, {
    action: "create-user",
    ...aboutUser(user),
    after: { ...getAuditedValues(userFields, user), ...(isAdmin ? { staffRoles } : {}) },
  });
  if (isAdmin) await reportRoleChange(context, em, user, null);
  return { user, link };
}

/**
 * Emails the user of an account that staff created a link to choose a password, which replaces an earlier one, in the
 * transaction of `em`.
 * @returns the link
 */
export async function sendInvitation(
  context: Context,
  em: EntityManager,
  user: User,
  { lifetimeMs, expiresIn } = invitationLifetime,
): Promise<string> {
  const secret = await issueEmailToken(context, em, user, "reset-password", { lifetimeMs });
  const link = buildEmailLink(context, "/reset-password/", secret);
  const isAdmin = user.memberType === MemberType.Admin;
  const invitation = { link, expiresIn };
  await emailUser(context, em, user, accountCreated, { email: user.email, invitation, isAdmin });
  return link;
}

/**
 * Creates an account for staff, as {@link addInvitedUser} does. The emailed link works for 7 days.
 * @throws AppError BAD_USER_INPUT as {@link rejectTakenAddress} does; UNAVAILABLE if too many passwords are
 * waiting to be hashed; FORBIDDEN if an admin who isn't an owner creates an admin.
 */
export async function createUser(context: Context, values: CreateUserValues): Promise<User> {
  const { password: _, confirmPassword: __, staffRoles: sentRoles, ...details } = values;
  const staffRoles = chooseStaffRoles(details.memberType, sentRoles);
  authorizeAdminChange(context, details.memberType);
  const passwordHash = await hashUnusablePassword(context);
  const sent = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as typeof details;
  // Another request created an account with this address at the same moment.
  return inUniqueTransaction(context, buildEmailTakenError, async (em) => {
    await rejectTakenAddress(em, details.email.toLowerCase());
    return (await addInvitedUser(context, em, sent, { staffRoles, passwordHash, ...invitationLifetime })).user;
  });
}
