import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { User } from "./user.entity.ts";

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
