import type { Context } from "#api/platform/context.ts";
import { AppError, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { User } from "./user.entity.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import DataLoader from "dataloader";

const loaders = new WeakMap<EntityManager, DataLoader<string, User | null>>();

/** Users by id, one statement for all that a list asks for; null for one that is gone. */
export function usersById({ em }: Context): DataLoader<string, User | null> {
  let loader = loaders.get(em);
  if (!loader) {
    loader = new DataLoader(async (ids) => {
      const users = new Map((await em.find(User, { id: { $in: [...ids] } })).map((user) => [user.id, user]));
      return ids.map((id) => users.get(id) ?? null);
    });
    loaders.set(em, loader);
  }
  return loader;
}

/**
 * Returns a user by id.
 * @throws AppError NOT_FOUND for an unknown or malformed id
 */
export async function getUser(context: Pick<Context, "em">, id: string): Promise<User> {
  const user = isUuid(id) ? await context.em.findOne(User, id) : null;
  if (!user) throw notFound();
  return user;
}

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
