import { createLink } from "#api/platform/graphql/links.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import type { Context } from "#api/platform/context.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "./user.entity.ts";
import { type EntityManager, getRow, query } from "#api/platform/database/database.ts";

/** Loads a user by id, or null if there is none. */
export const loadUserById = createRowLoader(User);

/** Declares a field that leads to a user (decision 0131). */
export const linkUser = createLink(() => User, loadUserById);

/**
 * Returns a user by id.
 * @throws AppError NOT_FOUND for an unknown or malformed id
 */
export async function getUser(context: Pick<Context, "em">, id: string): Promise<User> {
  const user = await getRow(context.em, User, id);
  return user;
}

/**
 * Keeps an account from being deleted until the transaction of `em` ends. Call it before adding data to an account,
 * because data added after a deletion would never be erased. Several transactions can hold this lock at the same time.
 * @throws AppError NOT_FOUND; CONFLICT if the owner deleted the account.
 */
export async function lockUserAgainstDeletion(em: EntityManager, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound();
  const [user] = await query<{ deleted_at: unknown }>(em, "select deleted_at from users where id = $1 for key share", [
    id,
  ]);
  if (!user) throw notFound();
  if (user.deleted_at !== null) throw conflict("This account was deleted. Nothing can be added to it.");
}
