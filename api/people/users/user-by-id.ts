import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/loaders.ts";
import { User } from "./user.entity.ts";

/** Loads a user by id; null for one that is gone. */
export const userById = createLoader(
  async ({ em }: Pick<Context, "em">, ids: readonly string[]): Promise<(User | null)[]> => {
    const users = new Map((await em.find(User, { id: { $in: [...ids] } })).map((user) => [user.id, user]));
    return ids.map((id) => users.get(id) ?? null);
  },
);
