import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";

/**
 * Keeps an account from being deleted until the transaction of `em` ends, for what adds something to it; others may
 * add at the same time. What came in after a deletion would be erased by nobody.
 * @throws AppError NOT_FOUND; CONFLICT when the person had the account deleted.
 */
export async function holdUser(em: EntityManager, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const [user] = await query<{ deleted_at: unknown }>(em, "select deleted_at from users where id = $1 for key share", [
    id,
  ]);
  if (!user) throw notFound();
  if (user.deleted_at !== null)
    throw new AppError("CONFLICT", { message: "This account was deleted. Nothing can be added to it." });
}
