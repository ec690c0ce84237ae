import { MemberType } from "#schema/catalogue.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError } from "#api/platform/errors.ts";
import type { User } from "./user.entity.ts";

/** The columns that decide who may administer the portal. */
type Standing = Pick<User, "id" | "memberType" | "archivedAt">;

const columns = `id, member_type as "memberType", archived_at as "archivedAt"`;

const isActiveAdmin = (user: Standing | undefined) =>
  user !== undefined && user.memberType === MemberType.Admin && user.archivedAt === null;

/**
 * Keeps one active admin (docs/domain.md#admin-safety). To be called in the transaction of `em` before
 * a user is archived or loses the admin type. Where the user is an active admin, every active admin's row is locked in
 * the order of their ids, so of admins who remove each other at the same moment one is left; the locks last until the
 * transaction ends. Licences are to be locked before (decision 0029). Users who are no active admins cost one read.
 * @throws AppError CONFLICT for the last active admin, and for somebody who became an admin at this very moment.
 */
export async function keepOneAdmin(em: EntityManager, userId: string): Promise<void> {
  const [found] = await query<Standing>(em, `select ${columns} from users where id = $1`, [userId]);
  if (!isActiveAdmin(found)) {
    const [locked] = await query<Standing>(em, `select ${columns} from users where id = $1 for update`, [userId]);
    // The locks would be taken in the wrong order now.
    if (isActiveAdmin(locked))
      throw new AppError("CONFLICT", { message: "This user was changed just now. Try again." });
    return;
  }
  const admins = await query<Standing>(
    em,
    `select ${columns} from users where member_type = ${MemberType.Admin} and archived_at is null
      and deleted_at is null order by id for update`,
    [],
  );
  if (admins.length === 1 && admins[0]?.id === userId)
    throw new AppError("CONFLICT", { message: "This is the last active admin. Make somebody else an admin first." });
}

/**
 * Whether a user is an active admin at this moment, in the transaction of `em`: asked again after
 * {@link keepOneAdmin}'s locks, because who asks may have been archived while waiting for them.
 */
export async function isAdminStill(em: EntityManager, userId: string): Promise<boolean> {
  const [found] = await query<Standing>(em, `select ${columns} from users where id = $1`, [userId]);
  return isActiveAdmin(found);
}
