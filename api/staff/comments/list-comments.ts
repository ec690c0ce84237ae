import { getUser } from "#api/people/users/get-user.ts";
import type { Context } from "#api/platform/context.ts";
import { createRelationLoader } from "#api/platform/loaders.ts";
import { Comment } from "./comment.entity.ts";

/** Loads the comments on a user, newest first. */
export const commentsOfUser = createRelationLoader<Comment>({
  entity: Comment,
  of: "user",
  orderBy: { at: "desc", id: "desc" },
});

/**
 * Returns the comments on a user, newest first.
 * @throws AppError NOT_FOUND
 */
export async function listComments(context: Context, userId: string): Promise<Comment[]> {
  return commentsOfUser(context, (await getUser(context, userId)).id);
}
