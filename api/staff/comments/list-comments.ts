import { getUser } from "#api/people/users/get-user.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { relatedRows, type Relation } from "#api/platform/related-rows.ts";
import { Comment } from "./comment.entity.ts";

/** The comments on a user, newest first. */
export const commentsOfUser: Relation<Comment> = { entity: Comment, of: "user", orderBy: { at: "desc", id: "desc" } };

/**
 * Returns the comments on a user, newest first.
 * @throws AppError NOT_FOUND
 */
export async function listComments(context: Context, userId: string): Promise<Comment[]> {
  return commentsOf(context, await getUser(context, userId));
}

/** Returns the comments on a loaded user, newest first; one statement for all users of a page. */
export async function commentsOf(context: Pick<Context, "em">, user: User): Promise<Comment[]> {
  return relatedRows(context, commentsOfUser, user.id);
}
