import { LockMode } from "@mikro-orm/core";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Licence } from "./licence.entity.ts";

/**
 * Locks the licences of a user in the order of their ids; requires a transaction. Code that also locks the user must
 * call this first, as all code that deactivates devices does (decision 0029).
 */
export async function lockUserLicences(em: EntityManager, userId: string): Promise<void> {
  await query(em, "select id from licences where user_id = $1 order by id for update", [userId]);
}

/**
 * Locks a licence of a user and loads it with its owner; requires a transaction.
 * @throws AppError NOT_FOUND for an unknown licence, a malformed id and a licence of another user.
 */
export async function lockUserLicence(em: EntityManager, userId: string, licenceId: string): Promise<Licence> {
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
