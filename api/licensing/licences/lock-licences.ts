import { LockMode } from "@mikro-orm/core";
import { type EntityManager, query } from "#api/platform/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Licence } from "./licence.entity.ts";

/**
 * Locks the licences of a user, in the order of their ids. What changes both takes these locks before the user's, as
 * everything does that frees a device (decision 0029); needs a transaction.
 */
export async function lockLicencesOf(em: EntityManager, userId: string): Promise<void> {
  await query(em, "select id from licences where user_id = $1 order by id for update", [userId]);
}

/**
 * Locks one licence of a user and reads it with its owner; needs a transaction.
 * @throws AppError NOT_FOUND, alike for an unknown licence, a malformed id, and the licence of another user.
 */
export async function lockLicenceOf(em: EntityManager, userId: string, licenceId: string): Promise<Licence> {
  if (!isUuid(userId) || !isUuid(licenceId)) throw notFound();
  const licence = await em.findOne(
    Licence,
    { id: licenceId, user: userId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!licence) throw notFound();
  await em.populate(licence, ["user"]);
  return licence;
}
