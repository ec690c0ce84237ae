import type { Context } from "#api/platform/context.ts";
import { getUser } from "#api/staff/users/list-users.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Comment } from "./comment.entity.ts";

/**
 * What staff noted on a user, newest first.
 * @throws AppError NOT_FOUND
 */
export async function listComments(context: Context, userId: string): Promise<Comment[]> {
  return commentsOf(await getUser(context, userId));
}

/** The same of a user who is at hand; one statement for all users of a page. */
export async function commentsOf(user: User): Promise<Comment[]> {
  const comments = await user.comments.loadItems();
  return comments.toSorted((one, other) => other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : 1));
}
