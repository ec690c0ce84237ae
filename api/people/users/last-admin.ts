import { MemberType } from "#schema/user.ts";
import { hasStaffRole, type StaffRole } from "#schema/staff-roles.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, conflict } from "#api/platform/errors.ts";
import { hasAnyRole } from "#api/platform/graphql/staff-role.ts";
import type { User } from "./user.entity.ts";

/** Columns that decide whether a user is an active admin or owner. */
type AdminStatus = Pick<User, "id" | "memberType" | "archivedAt" | "staffRoles">;

const columns = `id, member_type as "memberType", archived_at as "archivedAt", staff_roles as "staffRoles"`;

const isActiveAdmin = (user: AdminStatus | undefined) =>
  user !== undefined && user.memberType === MemberType.Admin && user.archivedAt === null;

const isActiveOwner = (user: AdminStatus | undefined) =>
  user !== undefined && isActiveAdmin(user) && hasStaffRole(user.staffRoles, "owner");

/** Returns SQL that is true if a row of `users` is an active owner or has one of `roles`. @param users alias of the table */
export const isActiveStaffSql = (users: string, ...roles: readonly StaffRole[]) =>
  `(${users}.member_type = ${MemberType.Admin} and ${users}.archived_at is null and ${users}.deleted_at is null
    and (${users}.staff_roles = '{}' or ${users}.staff_roles && '{${["owner", ...roles].join(",")}}'))`;

/** Returns SQL that is true if a row of `users` is an active owner. @param users alias of the table */
export const isActiveOwnerSql = (users: string) => isActiveStaffSql(users);

/** Returns the active owners with a confirmed address, to email them. */
export function findOwners(em: EntityManager): Promise<Pick<User, "id" | "firstName" | "email">[]> {
  return query(
    em,
    `select id, first_name as "firstName", email from users u
      where ${isActiveOwnerSql("u")} and email_confirmed_at is not null order by id`,
    [],
  );
}

/**
 * Throws if the user is the last active admin or the last active owner (docs/domain.md#admin-safety). Call it in the
 * transaction of `em` before a user is archived or loses the admin type or the owner role. If the user is an active
 * admin, locks every active admin's row in the order of their ids until the transaction ends, so that admins who remove
 * each other at the same time can't both succeed. Lock licences before calling it (decision 0029). For other users it
 * costs one read.
 * @throws AppError CONFLICT for the last active admin or owner, or if the user became an admin in the meantime.
 */
export async function assertNotLastAdmin(em: EntityManager, userId: string): Promise<void> {
  if (!isActiveAdmin(await findStatus(em, userId))) {
    const [locked] = await query<AdminStatus>(em, `select ${columns} from users where id = $1 for update`, [userId]);
    // Taking the locks now would break the lock order.
    if (isActiveAdmin(locked)) throw conflict("This user has just changed. Try again.");
    return;
  }
  const admins = await query<AdminStatus>(
    em,
    `select ${columns} from users where member_type = ${MemberType.Admin} and archived_at is null
      and deleted_at is null order by id for update`,
    [],
  );
  const others = admins.filter(({ id }) => id !== userId);
  if (others.length === admins.length) return;
  if (others.length === 0) throw conflict("This is the last active admin. Give another user the admin type first.");
  if (!others.some(isActiveOwner))
    throw conflict("This is the last active owner. Give another admin the owner role first.");
}

/**
 * Returns whether a user is an active admin with the role support, in the transaction of `em`. Call it after waiting for
 * a lock, because the user may have been archived or demoted, or have got other roles, in the meantime.
 */
export async function isStillSupport(em: EntityManager, userId: string): Promise<boolean> {
  const found = await findStatus(em, userId);
  return found !== undefined && isActiveAdmin(found) && hasAnyRole(found, ["support"]);
}

/** Returns whether a user is an active owner, like {@link isStillSupport}. */
export async function isStillOwner(em: EntityManager, userId: string): Promise<boolean> {
  return isActiveOwner(await findStatus(em, userId));
}

/**
 * Checks again, after waiting for a lock, that the caller may change a customer, or an admin if `isAdminChange` is true.
 * @throws AppError FORBIDDEN if the caller was archived or demoted, or got other roles, in the meantime
 */
export async function requireStillAllowed(
  { actor }: Pick<Context, "actor">,
  em: EntityManager,
  isAdminChange: boolean,
): Promise<void> {
  const isStillAllowed = isAdminChange ? isStillOwner : isStillSupport;
  if (actor && !(await isStillAllowed(em, actor.userId))) throw new AppError("FORBIDDEN");
}

async function findStatus(em: EntityManager, userId: string): Promise<AdminStatus | undefined> {
  const [found] = await query<AdminStatus>(em, `select ${columns} from users where id = $1`, [userId]);
  return found;
}
