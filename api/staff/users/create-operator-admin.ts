import { LockMode } from "@mikro-orm/core";
import { MemberType, userFields } from "#schema/user.ts";
import { getAuditedValues } from "#schema/field.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { isAddressTaken } from "#api/access/registration/email-changes.ts";
import { buildEmailLink, issueEmailToken } from "#api/access/registration/email-tokens.ts";
import { confirmAddress } from "#api/access/registration/registration-browser.ts";
import { hashUnusablePassword } from "#api/access/sessions/password.ts";
import { recordUserUpdate } from "#api/audit/change-log/record-change.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inUniqueTransaction } from "#api/platform/database/database.ts";
import { AppError, conflict } from "#api/platform/errors.ts";
import { addInvitedUser } from "./create-user.ts";
import { isOwnerStatus, reportRoleChange } from "./staff-roles.ts";
import { rejectIfSubscribed } from "./update-user.ts";

/** Hours for which the link that an operator receives works (docs/domain.md#email-links). */
export const OPERATOR_LINK_HOURS = 24;
const LIFETIME_MS = OPERATOR_LINK_HOURS * HOUR;

/** An admin that an operator created, with the one-time link to set a password. */
export interface OperatorAdmin {
  readonly userId: string;
  readonly email: string;
  readonly isPromoted: boolean;
  readonly link: string;
  readonly expiresAt: Date;
}

/**
 * Creates an admin with the role Owner, or promotes an existing account, for an operator who has no account yet. The new
 * account has no usable password until its owner opens the link.
 * @throws AppError CONFLICT if the account exists and `promote` is false, or is an owner, archived or subscribed, or if another
 * account may take the address back; NOT_FOUND if there is no account to promote.
 */
export async function createOperatorAdmin(
  context: Context,
  values: {
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly promote: boolean;
  },
): Promise<OperatorAdmin> {
  const { promote: isPromotion, ...names } = values;
  const passwordHash = await hashUnusablePassword(context);
  const signInEmail = values.email.toLowerCase();
  // A registration with the same address finished at the same moment.
  const justRegistered = () =>
    conflict(`${values.email} has just registered. Add --promote to make the account an admin.`);
  return inUniqueTransaction(context, justRegistered, async (em) => {
    const found = await em.findOne(User, { signInEmail }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (found && !isPromotion)
      throw conflict(`${values.email} has an account already. Add --promote to make it an admin.`);
    if (!found && (await isAddressTaken(em, signInEmail)))
      throw conflict(`Another account had ${values.email} and can take it back for 7 days. Use another address.`);
    if (!found && isPromotion) throw new AppError("NOT_FOUND", { message: `No account has ${values.email}.` });
    const details = { ...names, mobile: "", memberType: MemberType.Admin };
    const lifetime = { lifetimeMs: LIFETIME_MS, expiresIn: `${OPERATOR_LINK_HOURS} hours` };
    const { user, link } = found
      ? await promote(context, em, found, passwordHash)
      : await addInvitedUser(context, em, details, { staffRoles: [], passwordHash, ...lifetime });
    const expiresAt = addMilliseconds(context.clock.now(), LIFETIME_MS);
    return { userId: user.id, email: user.email, isPromoted: found !== null, link, expiresAt };
  });
}

/**
 * Makes a locked user an admin with the role Owner. The password of an unconfirmed registration may be a stranger's, so it
 * stops working.
 */
async function promote(
  context: Context,
  em: EntityManager,
  user: User,
  unusableHash: string,
): Promise<{ user: User; link: string }> {
  const status = { memberType: user.memberType, staffRoles: user.staffRoles };
  if (user.archivedAt) throw conflict(`The account ${user.email} is archived.`);
  if (isOwnerStatus(status)) throw conflict(`${user.email} is an owner already.`);
  if (user.memberType === MemberType.Regular) await rejectIfSubscribed(em, user);
  const before = toAudited(user);
  user.memberType = MemberType.Admin;
  user.staffRoles = [];
  if (!user.emailConfirmedAt) {
    await confirmAddress(context, em, user);
    user.passwordHash = unusableHash;
  }
  await recordUserUpdate(context, em, user, before, toAudited(user));
  await em.flush();
  await reportRoleChange(context, em, user, status);
  const secret = await issueEmailToken(context, em, user, "reset-password", { lifetimeMs: LIFETIME_MS });
  return { user, link: buildEmailLink(context, "/reset-password/", secret) };
}

function toAudited(user: User) {
  const staffRoles: StaffRole[] = [...user.staffRoles];
  return { ...getAuditedValues(userFields, user), staffRoles };
}
