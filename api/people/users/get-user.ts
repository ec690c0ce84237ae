import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { User } from "./user.entity.ts";

/**
 * Returns a user by id.
 * @throws AppError NOT_FOUND for an unknown or malformed id
 */
export async function getUser(context: Pick<Context, "em">, id: string): Promise<User> {
  const user = isUuid(id) ? await context.em.findOne(User, id) : null;
  if (!user) throw notFound();
  return user;
}
